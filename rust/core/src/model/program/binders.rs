//! Names of all that a program binds: they do not count when programs are compared, but text is written
//! with them.

use std::sync::Arc;

use super::closed::Program;
use super::lexer;

impl Program {
    /// Names of functions, parameters and variables, in an order that equal programs share.
    pub fn binders(&self) -> Vec<&str> {
        let (heads, names) = self.named();
        heads.iter().chain(names.values()).flatten().map(|name| &**name).collect()
    }

    /// The same program with other names, as [`Program::binders`] lists them; `None` if they are not as
    /// many, or no names.
    pub fn with_binders(&self, binders: &[String]) -> Option<Program> {
        let is_name = |name: &String| name == "_" || lexer::is_name(name);
        if binders.len() != self.binders().len() || !binders.iter().all(is_name) {
            return None;
        }
        let (mut heads, mut names) = (self.named().0.to_vec(), self.named().1.clone());
        let places = heads.iter_mut().chain(names.values_mut()).flatten();
        places.zip(binders).for_each(|(place, name)| *place = Arc::from(name.as_str()));
        Some(self.renamed(heads, names))
    }
}
