//! The faults of naga's readers that `src/mend` corrects. Each row checks that naga without the mends still has the fault. If a
//! row fails because a newer naga no longer has the fault, remove the mend, the calls to the mend, and the row.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{
    BinaryOperator, Binding, Expression, Function, Handle, LocalVariable, Module, ShaderStage, Statement, StructMember,
    TypeInner,
};

/// The name of a fault in `src/mend`, and a function that reports whether naga has the fault.
type Fault = (&'static str, fn() -> bool);

const FAULTS: [Fault; 9] = [
    ("recursion", deep_text_overflows),
    ("continue_in_do", || {
        let module = glsl("void main() { int k = 0; do { k++; if (k == 3) continue; } while (k < 9); }");
        // naga puts the loop's condition at the end of the loop's body, instead of in `continuing`.
        let body = &main(&module).body;
        body.iter().any(|statement| matches!(statement, Statement::Loop { continuing, break_if: None, .. } if continuing.is_empty()))
    }),
    ("operands_always_done", || {
        let with = |operand: &str| {
            glsl(&format!(
                "layout(location = 0) in float v; void main() {{ int k = 0; bool b = v > 5.0 && {operand} > -1; }}"
            ))
        };
        // An operand that is evaluated only if the left side is true would be inside an `if`, where `stores` counts no stores.
        stores(&with("k++"), "k") > stores(&with("k"), "k")
    }),
    ("targets_done_twice", || {
        let with = |operator: &str| glsl(&format!("void main() {{ int k = 0; int a[3]; a[k++] {operator} 5; }}"));
        stores(&with("+="), "k") > stores(&with("="), "k")
    }),
    ("fetch_offset", || {
        let module = glsl(
            "layout(set = 0, binding = 0) uniform texture2D t; layout(set = 0, binding = 1) uniform sampler s;
             layout(location = 0) out vec4 o;
             void main() { o = texelFetchOffset(sampler2D(t, s), ivec2(1), 0, ivec2(7)); }",
        );
        !adds(main(&module))
    }),
    ("clip_distance", || {
        let text = "out float gl_ClipDistance[2]; void main() { gl_Position = vec4(0.0); gl_ClipDistance[0] = 1.0; }";
        let module = read_glsl(text, ShaderStage::Vertex);
        // naga turns the array into two varyings.
        let mut types = module.types.iter();
        let is_varying = |member: &StructMember| matches!(member.binding, Some(Binding::Location { .. }));
        types.any(|(_, ty)| match &ty.inner {
            TypeInner::Struct { members, .. } => members.iter().filter(|member| is_varying(member)).count() == 2,
            _ => false,
        })
    }),
    ("write_only_buffers", || {
        let module = "layout(set = 0, binding = 0) writeonly buffer B { uint numbers[]; } b;
            void main() { b.numbers[0] = 7u; }";
        !is_valid(&read_glsl(module, ShaderStage::Compute))
    }),
    ("loaded_blocks", || {
        let module = "layout(set = 0, binding = 0) buffer B { uint count; uint numbers[]; } b;
            void main() { b.numbers[0] = b.count; }";
        !is_valid(&read_glsl(module, ShaderStage::Compute))
    }),
    ("aliased_arguments", || {
        let module = glsl(
            "void f(inout float a, inout float b) { a += 1.0; b += a; }
             void main() { float x = 1.0; f(x, x); }",
        );
        let same = |statement: &Statement| match statement {
            Statement::Call { arguments, .. } => arguments.windows(2).any(|two| two[0] == two[1]),
            _ => false,
        };
        main(&module).body.iter().any(same)
    }),
];

/// Returns the module that naga reads from a GLSL compute or vertex shader. The source text has no `#version` line.
fn read_glsl(text: &str, stage: ShaderStage) -> Module {
    let text = format!("#version 450\n{text}");
    let read = naga::front::glsl::Frontend::default().parse(&stage.into(), &text);
    read.unwrap_or_else(|errors| panic!("{}", errors.emit_to_string(&text)))
}

/// Returns the module that naga reads from a GLSL fragment shader, and checks that the module is valid.
fn glsl(text: &str) -> Module {
    let module = read_glsl(text, ShaderStage::Fragment);
    assert!(is_valid(&module), "{text}");
    module
}

fn is_valid(module: &Module) -> bool {
    Validator::new(ValidationFlags::all(), Capabilities::all()).validate(module).is_ok()
}

fn main(module: &Module) -> &Function {
    module.functions.iter().map(|(_, function)| function).next_back().expect("the code")
}

fn adds(function: &Function) -> bool {
    let is_sum = |of: &Expression| matches!(of, Expression::Binary { op: BinaryOperator::Add, .. });
    function.expressions.iter().any(|(_, of)| is_sum(of))
}

/// Counts the stores to a local variable in `main`, except the initial value and stores in conditionals.
fn stores(module: &Module, name: &str) -> usize {
    let function = main(module);
    let (variable, _) = function.local_variables.iter().find(|(_, of)| of.name.as_deref() == Some(name)).expect("it");
    let to = |variable: Handle<LocalVariable>| {
        move |statement: &&Statement| match **statement {
            Statement::Store { pointer, .. } => {
                matches!(function.expressions[pointer], Expression::LocalVariable(of) if of == variable)
            }
            _ => false,
        }
    };
    function.body.iter().filter(to(variable)).count()
}

/// The environment variable that makes this test binary read a deeply nested source.
const DEEP: &str = "NAGA_FRONT_READS_DEEP_TEXT";

/// Reports whether naga overflows the stack on a deeply nested source. A separate process reads the source, because the overflow
/// ends that process.
fn deep_text_overflows() -> bool {
    let binary = std::env::current_exe().expect("the tests");
    let child = Command::new(binary).args(["--exact", "upstream::a_deep_text_is_read"]).env(DEEP, "1").output();
    !child.expect("the tests").status.success()
}

/// Reads a deeply nested source in the process that [`deep_text_overflows`] starts, and does nothing in any other process.
#[test]
fn a_deep_text_is_read() {
    if std::env::var_os(DEEP).is_some() {
        let text =
            format!("#version 450\nvoid main() {{ float a = {}1.0{}; }}", "(".repeat(50_000), ")".repeat(50_000));
        // A parse error is acceptable, because only a stack overflow counts as the fault.
        drop(naga::front::glsl::Frontend::default().parse(&ShaderStage::Fragment.into(), &text));
    }
}

#[test]
fn naga_alone_has_each_fault_that_is_mended() {
    let gone: Vec<&str> = FAULTS.iter().filter(|(_, is_there)| !is_there()).map(|(name, _)| *name).collect();
    assert!(gone.is_empty(), "naga no longer has these faults; remove the mends of them: {}", gone.join(", "));
}

/// Checks that each file of `src/mend` names its faults, and that each fault has a row here. Only the file with shared code names
/// no fault.
#[test]
fn each_mend_names_its_fault_and_each_fault_has_a_row() {
    let mut names = BTreeSet::new();
    for path in testing::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/mend"), ".rs") {
        let text = std::fs::read_to_string(&path).expect("a source");
        let found = text.split("Upstream fault `").skip(1).filter_map(|rest| rest.split('`').next());
        let before = names.len();
        names.extend(found.map(str::to_string));
        assert!(names.len() > before || path.ends_with("instructions.rs"), "{} names no fault", path.display());
    }
    assert_eq!(names, FAULTS.iter().map(|(name, _)| (*name).to_string()).collect());
}
