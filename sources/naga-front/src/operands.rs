//! The expressions that an expression or a statement refers to.

use naga::{AtomicFunction, Expression, Handle, ImageQuery, SampleLevel, Statement};

pub(crate) fn of_expression(expression: &Expression, visit: &mut impl FnMut(Handle<Expression>)) {
    let mut all =
        |operands: &[Option<Handle<Expression>>]| operands.iter().flatten().for_each(|&operand| visit(operand));
    match *expression {
        Expression::Compose { ref components, .. } => components.iter().for_each(|&component| visit(component)),
        Expression::Access { base, index } => all(&[Some(base), Some(index)]),
        Expression::AccessIndex { base, .. } => visit(base),
        Expression::Splat { value, .. } => visit(value),
        Expression::Swizzle { vector, .. } => visit(vector),
        Expression::Load { pointer } => visit(pointer),
        Expression::ImageSample { image, sampler, coordinate, array_index, offset, level, depth_ref, .. } => {
            all(&[Some(image), Some(sampler), Some(coordinate), array_index, offset, depth_ref]);
            match level {
                SampleLevel::Auto | SampleLevel::Zero => {}
                SampleLevel::Exact(level) | SampleLevel::Bias(level) => all(&[Some(level)]),
                SampleLevel::Gradient { x, y } => all(&[Some(x), Some(y)]),
            }
        }
        Expression::ImageLoad { image, coordinate, array_index, sample, level } => {
            all(&[Some(image), Some(coordinate), array_index, sample, level]);
        }
        Expression::ImageQuery { image, query } => match query {
            ImageQuery::Size { level } => all(&[Some(image), level]),
            ImageQuery::NumLevels | ImageQuery::NumLayers | ImageQuery::NumSamples => visit(image),
        },
        Expression::Unary { expr, .. } | Expression::Derivative { expr, .. } | Expression::As { expr, .. } => {
            visit(expr);
        }
        Expression::Binary { left, right, .. } => all(&[Some(left), Some(right)]),
        Expression::Select { condition, accept, reject } => all(&[Some(condition), Some(accept), Some(reject)]),
        Expression::Relational { argument, .. } => visit(argument),
        Expression::Math { arg, arg1, arg2, arg3, .. } => all(&[Some(arg), arg1, arg2, arg3]),
        Expression::ArrayLength(array) => visit(array),
        // Constants, variables and results of statements have no operands. Ray queries, subgroup operations and cooperative
        // matrices are refused.
        _ => {}
    }
}

/// Calls `visit` with each operand of a statement, except operands of nested statements.
pub(crate) fn of_statement(statement: &Statement, visit: &mut impl FnMut(Handle<Expression>)) {
    let mut all =
        |operands: &[Option<Handle<Expression>>]| operands.iter().flatten().for_each(|&operand| visit(operand));
    match *statement {
        Statement::Emit(ref range) => range.clone().for_each(visit),
        Statement::If { condition, .. } => visit(condition),
        Statement::Switch { selector, .. } => visit(selector),
        Statement::Loop { break_if, .. } => all(&[break_if]),
        Statement::Return { value } => all(&[value]),
        Statement::Store { pointer, value } => all(&[Some(pointer), Some(value)]),
        Statement::ImageStore { image, coordinate, array_index, value } => {
            all(&[Some(image), Some(coordinate), array_index, Some(value)]);
        }
        Statement::Atomic { pointer, fun, value, .. } => {
            let comparator = if let AtomicFunction::Exchange { compare } = fun { compare } else { None };
            all(&[Some(pointer), comparator, Some(value)]);
        }
        Statement::WorkGroupUniformLoad { pointer, .. } => visit(pointer),
        Statement::Call { ref arguments, .. } => arguments.iter().for_each(|&argument| visit(argument)),
        // Blocks, jumps and barriers have no operands. Atomic operations on textures, ray queries, subgroup operations and
        // cooperative matrices are refused.
        _ => {}
    }
}

/// Calls `define` with the expressions that a statement evaluates for later statements.
pub(crate) fn defined(statement: &Statement, define: &mut impl FnMut(Handle<Expression>)) {
    match *statement {
        Statement::Emit(ref range) => range.clone().for_each(define),
        Statement::Call { result: Some(result), .. }
        | Statement::Atomic { result: Some(result), .. }
        | Statement::WorkGroupUniformLoad { result, .. } => define(result),
        _ => {}
    }
}
