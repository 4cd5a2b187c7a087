//! The primitives, every one total.
//!
//! Floats are IEEE doubles: x / 0, log 0, the root of a negative give infinities and NaN, which
//! flow. Transcendental functions come from `libm`, the same bits on every platform. Integers have
//! 64 bits and wrap. Division rounds down, x div 0 = 0 and x mod 0 = x, so that
//! x = (x div y) * y + x mod y always holds.

use super::types::Ty;

macro_rules! prims {
    ($($(#[$doc:meta])* $name:ident $text:literal ($($argument:ident),*) -> $result:ident;)*) => {
        /// A primitive function.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Prim { $(#[doc = concat!("`", $text, "`")] $(#[$doc])* $name,)* }

        impl Prim {
            /// All primitives, in a fixed order.
            pub const ALL: &'static [Prim] = &[$(Prim::$name,)*];

            /// Types of the arguments.
            pub fn arguments(self) -> &'static [Ty] {
                match self { $(Prim::$name => &[$(Ty::$argument,)*],)* }
            }

            /// Type of the result.
            pub fn result(self) -> Ty {
                match self { $(Prim::$name => Ty::$result,)* }
            }

            /// How it is written; `+` and the like are shared by floats and integers.
            pub fn text(self) -> &'static str {
                match self { $(Prim::$name => $text,)* }
            }
        }
    };
}

prims! {
    AddFloat "+" (FLOAT, FLOAT) -> FLOAT;
    SubFloat "-" (FLOAT, FLOAT) -> FLOAT;
    MulFloat "*" (FLOAT, FLOAT) -> FLOAT;
    DivFloat "/" (FLOAT, FLOAT) -> FLOAT;
    /// The smaller one, the first of two equals; NaN if one is.
    Min "min" (FLOAT, FLOAT) -> FLOAT;
    /// The larger one, the first of two equals; NaN if one is.
    Max "max" (FLOAT, FLOAT) -> FLOAT;
    NegFloat "-" (FLOAT) -> FLOAT;
    Abs "abs" (FLOAT) -> FLOAT;
    Sqrt "sqrt" (FLOAT) -> FLOAT;
    Log "log" (FLOAT) -> FLOAT;
    Exp "exp" (FLOAT) -> FLOAT;
    Tanh "tanh" (FLOAT) -> FLOAT;
    LessFloat "<" (FLOAT, FLOAT) -> BOOL;
    AtMostFloat "<=" (FLOAT, FLOAT) -> BOOL;
    EqualFloat "=" (FLOAT, FLOAT) -> BOOL;
    AddInt "+" (INT, INT) -> INT;
    SubInt "-" (INT, INT) -> INT;
    MulInt "*" (INT, INT) -> INT;
    DivInt "div" (INT, INT) -> INT;
    ModInt "mod" (INT, INT) -> INT;
    NegInt "-" (INT) -> INT;
    LessInt "<" (INT, INT) -> BOOL;
    AtMostInt "<=" (INT, INT) -> BOOL;
    EqualInt "=" (INT, INT) -> BOOL;
    /// The nearest float.
    ToFloat "float" (INT) -> FLOAT;
    Not "not" (BOOL) -> BOOL;
    /// Both arguments are evaluated.
    And "and" (BOOL, BOOL) -> BOOL;
    /// Both arguments are evaluated.
    Or "or" (BOOL, BOOL) -> BOOL;
}

impl Prim {
    /// Primitives that compute floats from floats: + - * / min max - abs sqrt log exp tanh.
    pub const FLOAT: &'static [Prim] = Prim::ALL.split_at(12).0;

    /// The primitive written so that takes arguments of these types.
    pub fn find(text: &str, arguments: &[Ty]) -> Option<Prim> {
        Prim::ALL.iter().copied().find(|prim| prim.text() == text && prim.arguments() == arguments)
    }

    /// Whether some primitive is written so.
    pub fn is_word(text: &str) -> bool {
        Prim::ALL.iter().any(|prim| prim.text() == text)
    }

    /// Whether it stands between its arguments.
    pub fn is_infix(self) -> bool {
        self.arguments().len() == 2 && !matches!(self, Prim::Min | Prim::Max)
    }

    /// Whether exchanging the arguments changes nothing, NaN payloads apart.
    pub fn commutes(self) -> bool {
        use Prim::*;
        matches!(self, AddFloat | MulFloat | EqualFloat | AddInt | MulInt | EqualInt | And | Or)
    }
}

/// The smaller one, the first of two equals; NaN if one is.
#[inline]
pub fn min(a: f64, b: f64) -> f64 {
    if b < a || b.is_nan() { b } else { a }
}

/// The larger one, the first of two equals; NaN if one is.
#[inline]
pub fn max(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// A float from one float; `None` where the primitive is of another kind.
#[inline]
pub fn float_unary(prim: Prim, a: f64) -> Option<f64> {
    Some(match prim {
        Prim::NegFloat => -a,
        Prim::Abs => a.abs(),
        Prim::Sqrt => libm::sqrt(a),
        Prim::Log => libm::log(a),
        Prim::Exp => libm::exp(a),
        Prim::Tanh => libm::tanh(a),
        _ => return None,
    })
}

/// A float from two floats; `None` where the primitive is of another kind.
#[inline]
pub fn float_binary(prim: Prim, a: f64, b: f64) -> Option<f64> {
    Some(match prim {
        Prim::AddFloat => a + b,
        Prim::SubFloat => a - b,
        Prim::MulFloat => a * b,
        Prim::DivFloat => a / b,
        Prim::Min => min(a, b),
        Prim::Max => max(a, b),
        _ => return None,
    })
}

/// A truth value from two floats; `None` where the primitive is of another kind.
#[inline]
pub fn float_test(prim: Prim, a: f64, b: f64) -> Option<bool> {
    Some(match prim {
        Prim::LessFloat => a < b,
        Prim::AtMostFloat => a <= b,
        Prim::EqualFloat => a == b,
        _ => return None,
    })
}

/// An integer from two integers; `None` where the primitive is of another kind.
#[inline]
pub fn int_binary(prim: Prim, a: i64, b: i64) -> Option<i64> {
    Some(match prim {
        Prim::AddInt => a.wrapping_add(b),
        Prim::SubInt => a.wrapping_sub(b),
        Prim::MulInt => a.wrapping_mul(b),
        Prim::DivInt => div(a, b),
        Prim::ModInt => a.wrapping_sub(div(a, b).wrapping_mul(b)),
        _ => return None,
    })
}

/// Division that rounds down; 0 for a divisor of 0.
#[inline]
pub fn div(a: i64, b: i64) -> i64 {
    if b == 0 {
        return 0;
    }
    let quotient = a.wrapping_div(b);
    let inexact = a.wrapping_rem(b) != 0;
    if inexact && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

/// A truth value from two integers; `None` where the primitive is of another kind.
#[inline]
pub fn int_test(prim: Prim, a: i64, b: i64) -> Option<bool> {
    Some(match prim {
        Prim::LessInt => a < b,
        Prim::AtMostInt => a <= b,
        Prim::EqualInt => a == b,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_and_remainder_fit_together_for_every_divisor() {
        for a in [i64::MIN, -7, -1, 0, 1, 7, i64::MAX] {
            for b in [i64::MIN, -3, -1, 0, 1, 3, i64::MAX] {
                let modulo = int_binary(Prim::ModInt, a, b).unwrap();
                assert_eq!(div(a, b).wrapping_mul(b).wrapping_add(modulo), a, "{a} {b}");
                assert!(b == 0 || modulo == 0 || (modulo < 0) == (b < 0), "{a} {b}");
            }
        }
        assert_eq!([div(-7, 2), div(7, -2), div(7, 0), div(i64::MIN, -1)], [-4, -4, 0, i64::MIN]);
    }

    #[test]
    fn nan_passes_min_and_max() {
        for (a, b) in [(f64::NAN, 1.0), (1.0, f64::NAN)] {
            assert!(min(a, b).is_nan() && max(a, b).is_nan());
        }
        assert_eq!((min(1.0, 2.0), max(1.0, 2.0)), (1.0, 2.0));
        assert!(min(-0.0, 0.0).is_sign_negative() && max(0.0, -0.0).is_sign_positive());
    }

    #[test]
    fn every_primitive_is_found_by_its_text_and_types() {
        for &prim in Prim::ALL {
            assert_eq!(Prim::find(prim.text(), prim.arguments()), Some(prim));
        }
        let floats =
            |prim: &Prim| prim.result() == Ty::FLOAT && prim.arguments().iter().all(|&t| t == Ty::FLOAT);
        let all: Vec<Prim> = Prim::ALL.iter().copied().filter(floats).collect();
        assert_eq!(Prim::FLOAT, all);
    }
}
