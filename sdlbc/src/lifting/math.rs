//! Functions on vectors and matrices for which the format has no operation.

use super::Lifting;
use crate::{Few, Id, Op};

impl Lifting {
    /// Returns the dot product of vectors of integers.
    pub fn int_dot(&mut self, a: Id, b: Id) -> Id {
        let products = self.builder.multiply(a, b);
        let mut sum = self.component(products, 0);
        for component in 1..self.width(products) {
            let product = self.component(products, component);
            sum = self.builder.add(sum, product);
        }
        sum
    }

    /// Returns the outer product of two vectors: a matrix whose columns are multiples of `a`.
    pub fn outer_product(&mut self, a: Id, b: Id) -> Id {
        let mut columns = Few::<Id>::new();
        for column in 0..self.width(b) {
            let factor = self.component(b, column);
            columns.push(self.builder.multiply(a, factor));
        }
        self.matrix(&columns)
    }

    /// Returns the components of a matrix, indexed by column and row.
    fn entries(&mut self, matrix: Id) -> Vec<Few<Id>> {
        let columns = self.columns(matrix);
        let rows = |column: Id| (0..self.width(column)).map(|row| self.component(column, row)).collect();
        columns.into_iter().map(rows).collect()
    }

    /// Returns the determinant of a square matrix.
    pub fn determinant(&mut self, matrix: Id) -> Id {
        let entries = self.entries(matrix);
        let all: Few<usize> = (0..entries.len()).collect();
        self.minor(&entries, &all, &all)
    }

    /// Returns the determinant of the submatrix with the given columns and rows, expanded along its first column.
    fn minor(&mut self, entries: &[Few<Id>], columns: &[usize], rows: &[usize]) -> Id {
        let &[first, ref others @ ..] = columns else { return self.builder.float(1.0) };
        let mut sum = None;
        for (number, &row) in rows.iter().enumerate() {
            let Some(&entry) = entries.get(first).and_then(|column| column.get(row)) else { continue };
            let term = if others.is_empty() {
                entry
            } else {
                let rest: Few<usize> = rows.iter().copied().filter(|&other| other != row).collect();
                let minor = self.minor(entries, others, &rest);
                self.builder.multiply(entry, minor)
            };
            let op = if number % 2 == 0 { Op::Add } else { Op::Subtract };
            sum = Some(match sum {
                None => term,
                Some(sum) => self.emit(op, &[sum, term]),
            });
        }
        sum.unwrap_or_default()
    }

    /// Returns the inverse of a square matrix: the adjugate divided by the determinant.
    pub fn inverse(&mut self, matrix: Id) -> Id {
        let entries = self.entries(matrix);
        let size = entries.len();
        let determinant = self.determinant(matrix);
        let one = self.builder.float(1.0);
        let factor = self.builder.divide(one, determinant);
        let without = |left_out: usize| (0..size).filter(move |&at| at != left_out).collect::<Few<usize>>();
        let mut columns = Few::<Id>::new();
        for column in 0..size {
            let mut parts = Few::<Id>::new();
            for row in 0..size {
                // Each entry of the adjugate is the signed minor of the transposed entry.
                let minor = self.minor(&entries, &without(row), &without(column));
                let is_negative = (column + row) % 2 == 1;
                parts.push(if is_negative { self.builder.negate(minor) } else { minor });
            }
            let column = self.vector(&parts);
            columns.push(self.builder.multiply(column, factor));
        }
        self.matrix(&columns)
    }
}
