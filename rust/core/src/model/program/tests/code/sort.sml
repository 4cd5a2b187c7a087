datatype list = Nil | Cons of int * list

fun sort(xs: list): list =
  let
    fun insert(ys: list, x: int): list =
      case ys of
        Nil =>
          Cons(x, Nil)
      | Cons(y, rest) =>
          if x <= y then Cons(x, ys)
          else Cons(y, insert(rest, x))
  in
    case xs of
      Nil =>
        Nil
    | Cons(x, rest) =>
        insert(sort(rest), x)
  end
