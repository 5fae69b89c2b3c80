//! Renaming inside expressions that bind names, hold loops or leave the code.

use syn::visit_mut::VisitMut;

use super::rename::Renamer;
use crate::diag::catalog;

impl Renamer<'_, '_, '_> {
    /// Reports what would leave the code, or what cannot be kept; `false` if `e` is none of that.
    pub(super) fn refuse_jumps(&mut self, e: &syn::Expr) -> bool {
        match e {
            syn::Expr::Return(_) if self.closures == 0 => self.refuse_jump(e, "return"),
            syn::Expr::Try(t) if self.closures == 0 => self
                .l
                .diags
                .over(&t.question_token, catalog::question_mark()),
            syn::Expr::Await(a) => self.l.diags.over(&a.await_token, catalog::async_block()),
            syn::Expr::Yield(_) => self.refuse_jump(e, "yield"),
            syn::Expr::Unsafe(u) => self.l.diags.over(&u.unsafe_token, catalog::unsafe_block()),
            syn::Expr::Async(a) => self.l.diags.over(&a.async_token, catalog::async_block()),
            syn::Expr::Break(b) if self.loops == 0 || b.label.is_some() => {
                self.refuse_jump(e, "break")
            }
            syn::Expr::Continue(c) if self.loops == 0 || c.label.is_some() => {
                self.refuse_jump(e, "continue")
            }
            _ => return false,
        }
        true
    }

    /// Renames inside expressions that bind names or hold loops; `false` if `e` is none of these.
    pub(super) fn binding_form(&mut self, e: &mut syn::Expr) -> bool {
        match e {
            syn::Expr::Closure(c) => {
                self.closures += 1;
                let loops = std::mem::take(&mut self.loops);
                self.in_scope(|s| {
                    for pat in c.inputs.clone() {
                        s.bind(&pat);
                    }
                    s.visit_expr_mut(&mut c.body);
                });
                self.loops = loops;
                self.closures -= 1;
            }
            syn::Expr::If(i) => {
                self.in_scope(|s| {
                    s.visit_expr_mut(&mut i.cond);
                    s.visit_block_mut(&mut i.then_branch);
                });
                if let Some((_, otherwise)) = &mut i.else_branch {
                    self.visit_expr_mut(otherwise);
                }
            }
            syn::Expr::Let(l) => {
                self.visit_expr_mut(&mut l.expr);
                let pat = (*l.pat).clone();
                self.bind(&pat);
            }
            syn::Expr::While(w) => {
                self.loops += 1;
                self.in_scope(|s| {
                    s.visit_expr_mut(&mut w.cond);
                    s.visit_block_mut(&mut w.body);
                });
                self.loops -= 1;
            }
            syn::Expr::ForLoop(f) => {
                self.visit_expr_mut(&mut f.expr);
                self.loops += 1;
                self.in_scope(|s| {
                    let pat = (*f.pat).clone();
                    s.bind(&pat);
                    s.visit_block_mut(&mut f.body);
                });
                self.loops -= 1;
            }
            syn::Expr::Loop(l) => {
                self.loops += 1;
                self.visit_block_mut(&mut l.body);
                self.loops -= 1;
            }
            syn::Expr::Match(m) => {
                self.visit_expr_mut(&mut m.expr);
                for arm in &mut m.arms {
                    self.in_scope(|s| {
                        s.bind(&arm.pat);
                        if let Some((_, guard)) = &mut arm.guard {
                            s.visit_expr_mut(guard);
                        }
                        s.visit_expr_mut(&mut arm.body);
                    });
                }
            }
            _ => return false,
        }
        true
    }

    fn refuse_jump(&mut self, e: &syn::Expr, what: &str) {
        self.l.diags.over(e, catalog::jump_in_code(what));
    }

    pub(super) fn visit_statement(&mut self, stmt: &mut syn::Stmt) {
        match stmt {
            syn::Stmt::Local(local) => {
                if let Some(init) = &mut local.init {
                    self.visit_expr_mut(&mut init.expr);
                    if let Some((_, diverge)) = &mut init.diverge {
                        self.visit_expr_mut(diverge);
                    }
                }
                let pat = local.pat.clone();
                self.bind(&pat);
            }
            syn::Stmt::Expr(e, _) => self.visit_expr_mut(e),
            syn::Stmt::Macro(m) => {
                let mut scopes = std::mem::take(&mut self.scopes);
                self.l.rename_macro(self.builder, &mut m.mac, &mut scopes);
                self.scopes = scopes;
            }
            syn::Stmt::Item(item) => self.l.diags.over(item, catalog::item_in_body("an item")),
        }
    }
}
