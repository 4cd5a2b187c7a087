datatype tree = Leaf of int * real * real | Node of int * real * real * trees
and trees = Empty | More of tree * trees

fun estimate(c: real, n: real): real =
  if Real.==(n, 0.0) then 0.0
  else let
      val z2 = 0.45493642311957283
      val f = (n - c) / n
      val spread = Math.sqrt(z2 * (f / n - f * f / n + z2 / (4.0 * n * n)))
    in
      (f + z2 / (2.0 * n) + spread) / (1.0 + z2 / n)
    end

fun prune(t: tree): tree * real =
  case t of
    Leaf(_, c, n) =>
      (t, estimate(c, n))
  | Node(id, c, n, children) =>
      let
        fun each(ts: trees): trees * real =
          case ts of
            Empty =>
              (Empty, 0.0)
          | More(child, others) =>
              let
                val (kept, rate) = prune(child)
                val (rest, sum) = each(others)
                val rows = case kept of
                    Leaf(_, _, m) =>
                      m
                  | Node(_, _, m, _) =>
                      m
              in
                (More(kept, rest), rows / n * rate + sum)
              end
        val (pruned, below) = each(children)
        val leaf = estimate(c, n)
      in
        if leaf <= below + 1e~12 then (Leaf(id, c, n), leaf)
        else (Node(id, c, n, pruned), below)
      end
