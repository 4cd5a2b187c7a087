datatype mark = Mark of int
and tree = Leaf of mark * real * real | Node of mark * real * real * trees
and trees = Empty | More of tree * trees

fun prune(t: tree): tree * real =
  let
    fun estimate(c: real, n: real): real =
      if n <= 0.0 then 0.0
      else ((n - c) / n + 0.2274682115597864 / n + 0.6744897501960817 * Math.sqrt((n - c) / n / n - (n - c) / n * ((n - c) / n) / n + 0.1137341057798932 / (n * n))) / (1.0 + 0.4549364231195728 / n)
  in
    case t of
      Leaf(_, c, n) =>
        (t, estimate(c, n))
    | Node(mark, c, n, children) =>
        let
          fun each(ts: trees, sum: real): trees * real =
            case ts of
              Empty =>
                (Empty, sum)
            | More(child, others) =>
                let
                  val (kept, rate) = prune(child)
                  val rows = case child of
                      Leaf(_, _, m) =>
                        m
                    | Node(_, _, m, _) =>
                        m
                  val (rest, total) = each(others, sum + rows / n * rate)
                in
                  (More(kept, rest), total)
                end
          val (pruned, below) = each(children, 0.0)
          val leaf = estimate(c, n)
        in
          if n <= 0.0 orelse leaf <= below + 1e~12 then (Leaf(mark, c, n), leaf)
          else (Node(mark, c, n, pruned), below)
        end
  end
