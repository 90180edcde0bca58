//! Variables of the source, and the pointers that point into them.

use naga::{Expression, Handle, LocalVariable, Statement};
use sdlbc::lifting::{MOST_LEAVES, MemoryElement, Shape, Step, Value};
use sdlbc::{Few, Type};

use super::memory::MemoryInput;
use super::types::{self, Parts};
use super::{Argument, Lifter};
use crate::summary::{each, local_of};
use sdlbc::front::RefusalKind;

/// The place that a pointer points to: a variable, and the steps that lead from the variable to a part.
#[derive(Clone, Debug)]
pub(super) struct Place {
    root: Root,
    steps: Few<Step>,
}

/// The variable that a pointer points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    /// A local or private variable, by its index in [`sdlbc::lifting::Lifting`].
    Variable(usize),
    Uniform(Handle<naga::GlobalVariable>),
    /// A storage buffer or a workgroup variable.
    Memory(Handle<naga::GlobalVariable>),
    /// A variable that was refused elsewhere in the lifter.
    None,
}

/// A step from a variable to one of its parts. The index of the step may not have been computed yet.
#[derive(Clone, Copy)]
enum Link {
    Index(Handle<Expression>),
    Step(Step),
}

impl Default for Link {
    fn default() -> Link {
        Link::Step(Step::default())
    }
}

impl<'m> Lifter<'_, 'm> {
    /// Creates a variable whose initial value is zero, and returns its index.
    pub(super) fn declare(
        &mut self,
        ty: Handle<naga::Type>,
        name: Option<&str>,
        indexed: bool,
        span: naga::Span,
    ) -> usize {
        let leaves = self.shared.leaves.get(ty.index()).copied().unwrap_or(0);
        let shape = if leaves > MOST_LEAVES && !indexed || leaves > u64::from(sdlbc::limits::ARRAY_LENGTH) {
            let what = format!("a variable has {leaves} vectors, but the limit is {MOST_LEAVES}");
            self.shared.refuse(RefusalKind::Limit { what }, span);
            Shape::Fields(Vec::new())
        } else if !self.is_supported(ty) {
            self.shared.refuse(types::refusal(self.shared.module, ty), span);
            Shape::Fields(Vec::new())
        } else {
            types::shape(self.shared.module, ty)
        };
        self.lifting.declare(&shape, name, indexed)
    }

    pub(super) fn is_supported(&self, ty: Handle<naga::Type>) -> bool {
        let inner = self.inner(ty);
        match types::parts(inner) {
            Some(Parts::Fields(fields)) => fields.iter().all(|&(ty, _)| self.is_supported(ty)),
            Some(Parts::Elements(base, ..)) => self.is_supported(base),
            None => types::value(inner).is_some(),
        }
    }

    /// Returns the zero value of a naga type. The value is empty if the type has more than [`MOST_LEAVES`] leaves.
    pub(super) fn zero_of(&mut self, ty: Handle<naga::Type>) -> Value {
        match self.shared.leaves.get(ty.index()) {
            Some(&leaves) if leaves <= MOST_LEAVES => self.lifting.zero_of(&types::shape(self.shared.module, ty)),
            _ => Value::Many(Vec::new()),
        }
    }

    pub(super) fn declare_local(&mut self, handle: Handle<LocalVariable>) {
        let Some(function) = self.function() else { return };
        let variable = &function.local_variables[handle];
        let indexed = types::parts(self.inner(variable.ty)).is_some() && self.is_indexed(function, handle);
        let number =
            self.declare(variable.ty, variable.name.as_deref(), indexed, function.local_variables.get_span(handle));
        if let Some(local) = self.frames.last_mut().and_then(|frame| frame.locals.get_mut(handle.index())) {
            *local = Some(number);
        }
        let value = match variable.init {
            Some(init) => self.value(init),
            // The code of an inlined function may run several times, so the slots of its variables are set to zero each time.
            None if indexed && self.frames.len() > 1 => self.zero_of(variable.ty),
            None => return,
        };
        self.lifting.store(number, &[], &value);
    }

    pub(super) fn declare_private(&mut self, handle: Handle<naga::GlobalVariable>) {
        let variable = &self.shared.module.global_variables[handle];
        let span = self.shared.module.global_variables.get_span(handle);
        let indexed = types::parts(self.inner(variable.ty)).is_some();
        let number = self.declare(variable.ty, variable.name.as_deref(), indexed, span);
        self.privates.insert(handle, number);
        if let Some(init) = variable.init {
            let value = self.constant(init);
            self.lifting.store(number, &[], &value);
        }
    }

    /// Reports whether a local variable has computed indices, or a pointer into the variable is passed to a function.
    fn is_indexed(&self, function: &'m naga::Function, local: Handle<LocalVariable>) -> bool {
        let is_inside = |pointer: Handle<Expression>| local_of(function, pointer) == Some(local);
        let mut indexed = function.expressions.iter().any(|(_, expression)| match *expression {
            Expression::Access { base, .. } => is_inside(base),
            _ => false,
        });
        each(&function.body, &mut |statement| {
            if let Statement::Call { arguments, .. } = statement {
                indexed |= arguments.iter().any(|&argument| is_inside(argument));
            }
        });
        indexed
    }

    /// Returns the variable that a pointer points into, and the steps to the part that it points to, the last step first.
    fn follow(&self, mut pointer: Handle<Expression>) -> (Root, Few<Link>) {
        let mut links = Few::<Link>::new();
        let root = loop {
            break match self.expression(pointer) {
                Some(&Expression::Access { base, index }) => {
                    links.push(Link::Index(index));
                    pointer = base;
                    continue;
                }
                Some(&Expression::AccessIndex { base, index }) => {
                    links.push(Link::Step(Step::Known(index)));
                    pointer = base;
                    continue;
                }
                Some(&Expression::LocalVariable(variable)) => {
                    let local = self.frame().and_then(|frame| frame.locals.get(variable.index()).copied().flatten());
                    local.map_or(Root::None, Root::Variable)
                }
                Some(&Expression::GlobalVariable(variable)) => match self.privates.get(&variable) {
                    Some(&number) => Root::Variable(number),
                    None if self.shared.uniforms.contains_key(&variable) => Root::Uniform(variable),
                    None if self.shared.memories.contains_key(&variable) => Root::Memory(variable),
                    None => Root::None,
                },
                Some(&Expression::FunctionArgument(number)) => {
                    match self.frame().and_then(|frame| frame.arguments.get(number as usize)) {
                        Some(Argument::Place(place)) => {
                            links.extend(place.steps.iter().rev().copied().map(Link::Step));
                            place.root
                        }
                        _ => Root::None,
                    }
                }
                _ => Root::None,
            };
        };
        (root, links)
    }

    /// Returns the place that a pointer points to.
    pub(super) fn place(&mut self, pointer: Handle<Expression>) -> Place {
        let (root, links) = self.follow(pointer);
        let mut steps = Few::<Step>::new();
        for link in links {
            steps.push(match link {
                Link::Index(index) => Step::Computed(self.index(index)),
                Link::Step(step) => step,
            });
        }
        steps.reverse();
        Place { root, steps }
    }

    /// Returns the local or private variable that a pointer points into, and the steps to the part that it points to. A step that
    /// the code computes is `None`.
    pub(super) fn variable_at(&self, pointer: Handle<Expression>) -> Option<(usize, Vec<Option<u32>>)> {
        let (Root::Variable(number), links) = self.follow(pointer) else { return None };
        let known = |link: &Link| if let Link::Step(Step::Known(at)) = *link { Some(at) } else { None };
        Some((number, links.iter().rev().map(known).collect()))
    }

    /// Returns the value at a place.
    pub(super) fn load(&mut self, place: &Place, ty: Option<&naga::TypeInner>) -> Value {
        match place.root {
            Root::Variable(number) => self.lifting.load(number, &place.steps),
            Root::Uniform(variable) => self.load_uniform(variable, &place.steps),
            Root::Memory(variable) => match self.memory(variable) {
                Some(MemoryInput::Buffer(buffer)) => self.load_buffer(buffer, &place.steps),
                Some(MemoryInput::Shared(slots)) => self.lifting.load_slots(&slots, &place.steps),
                None => Value::Many(Vec::new()),
            },
            Root::None => Value::One(self.lifting.zero(ty.and_then(types::value).unwrap_or(Type::FLOAT))),
        }
    }

    /// Returns the element of memory that a place is, or `None` if the place is not a single element.
    pub(super) fn element_at(&mut self, place: &Place) -> Option<MemoryElement> {
        let Root::Memory(variable) = place.root else { return None };
        match self.memory(variable)? {
            MemoryInput::Buffer(buffer) => self.element_of(buffer, &place.steps),
            MemoryInput::Shared(slots) => self.lifting.slot_element(&slots, &place.steps),
        }
    }

    /// Writes a value to a place.
    pub(super) fn store(&mut self, place: &Place, value: &Value) {
        match place.root {
            Root::Variable(number) => self.lifting.store(number, &place.steps, value),
            Root::Memory(variable) => match self.memory(variable) {
                Some(MemoryInput::Buffer(buffer)) => self.store_buffer(buffer, &place.steps, value),
                Some(MemoryInput::Shared(slots)) => self.lifting.store_slots(&slots, &place.steps, value),
                None => self.lifting.mismatch(),
            },
            Root::Uniform(_) | Root::None => self.lifting.mismatch(),
        }
    }
}
