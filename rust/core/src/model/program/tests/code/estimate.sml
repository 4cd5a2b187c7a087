fun estimate(c: real, n: real): real =
  let
    val v1 = Math.tanh(Math.tanh(Math.tanh((n - c) / n)))
    val v2 = Math.sqrt(Math.tanh(Math.tanh(Math.sqrt(n))))
    val v3 = Math.tanh(Math.sqrt(Math.sqrt(c)))
  in
    (v1 + v2) / v3
  end
