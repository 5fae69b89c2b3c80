//! Operators.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnOp {
    Neg,
    Not,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// What the left operand is after `a += b`, of types that the macro does not see: that is a method of its own
    /// there.
    AddAssign,
    SubAssign,
    MulAssign,
    DivAssign,
    RemAssign,
    BitAndAssign,
    BitOrAssign,
    BitXorAssign,
    ShlAssign,
    ShrAssign,
}

impl BinOp {
    /// The operator and the one that assigns, for the operators that have one.
    const ASSIGNING: [(BinOp, BinOp); 10] = [
        (BinOp::Add, BinOp::AddAssign),
        (BinOp::Sub, BinOp::SubAssign),
        (BinOp::Mul, BinOp::MulAssign),
        (BinOp::Div, BinOp::DivAssign),
        (BinOp::Rem, BinOp::RemAssign),
        (BinOp::BitAnd, BinOp::BitAndAssign),
        (BinOp::BitOr, BinOp::BitOrAssign),
        (BinOp::BitXor, BinOp::BitXorAssign),
        (BinOp::Shl, BinOp::ShlAssign),
        (BinOp::Shr, BinOp::ShrAssign),
    ];

    /// `+=` for `+`.
    pub(crate) fn assigning(self) -> Option<BinOp> {
        let found = Self::ASSIGNING.iter().find(|(op, _)| *op == self);
        found.map(|(_, assigning)| *assigning)
    }

    /// `+` for `+=`.
    pub(crate) fn assigned(self) -> Option<BinOp> {
        let found = Self::ASSIGNING.iter().find(|(_, op)| *op == self);
        found.map(|(op, _)| *op)
    }

    /// Whether the result is a `bool` whatever the operands are.
    pub(crate) fn is_logical(self) -> bool {
        matches!(
            self,
            BinOp::And
                | BinOp::Or
                | BinOp::Eq
                | BinOp::Ne
                | BinOp::Lt
                | BinOp::Le
                | BinOp::Gt
                | BinOp::Ge
        )
    }

    /// As it is written.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::Div => "/",
            BinOp::Rem => "%",
            BinOp::And => "&&",
            BinOp::Or => "||",
            BinOp::BitAnd => "&",
            BinOp::BitOr => "|",
            BinOp::BitXor => "^",
            BinOp::Shl => "<<",
            BinOp::Shr => ">>",
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::Lt => "<",
            BinOp::Le => "<=",
            BinOp::Gt => ">",
            BinOp::Ge => ">=",
            BinOp::AddAssign => "+=",
            BinOp::SubAssign => "-=",
            BinOp::MulAssign => "*=",
            BinOp::DivAssign => "/=",
            BinOp::RemAssign => "%=",
            BinOp::BitAndAssign => "&=",
            BinOp::BitOrAssign => "|=",
            BinOp::BitXorAssign => "^=",
            BinOp::ShlAssign => "<<=",
            BinOp::ShrAssign => ">>=",
        }
    }
}
