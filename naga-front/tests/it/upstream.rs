//! The faults of naga's readers that `src/mend` corrects. Each row checks that naga without the mends still has the fault. If a
//! row fails because a newer naga no longer has the fault, remove the mend, the calls to the mend, and the row.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{
    BinaryOperator, Binding, Block, Expression, Function, Handle, LocalVariable, Module, ShaderStage, Statement,
    StructMember, SwitchValue, TypeInner,
};

/// The name of a fault in `src/mend`, and a function that reports whether naga has the fault.
type Fault = (&'static str, fn() -> bool);

const FAULTS: [Fault; 15] = [
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
    ("logical_vectors", || {
        let types: [(u32, &[u32]); 1] = [(44, &[11, 30, 18, 18])]; // %30 = OpConstantComposite %11 %18 %18
        !is_valid(&read_spirv(&types, &[(167, &[11, 31, 30, 30])])) // %31 = OpLogicalAnd %11 %30 %30
    }),
    ("dropped_operands", || {
        let types: [(u32, &[u32]); 3] = [
            (23, &[31, 7, 2]),           // %31 = OpTypeVector %7 2
            (44, &[31, 32, 17, 17]),     // %32 = OpConstantComposite %31 %17 %17
            (44, &[10, 33, 16, 16, 16]), // %33 = OpConstantComposite %10 %16 %16 %16
        ];
        let code: [(u32, &[u32]); 3] = [
            (61, &[12, 34, 3]),                    // %34 = OpLoad %12 %3
            (95, &[9, 35, 34, 33, 2 | 8, 16, 32]), // %35 = OpImageFetch %9 %34 %33 Lod|ConstOffset %16 %32
            (62, &[2, 35]),                        // OpStore %2 %35
        ];
        let module = read_spirv(&types, &code);
        let expressions = main(&module).expressions.iter().map(|(_, expression)| expression);
        let loads = expressions.filter(|of| matches!(of, Expression::ImageLoad { .. })).count();
        is_valid(&module) && loads == 1 && !adds(main(&module))
    }),
    ("layer_coordinates", || {
        let types: [(u32, &[u32]); 1] = [(44, &[10, 33, 16, 16, 16])]; // %33 = OpConstantComposite %10 %16 %16 %16
        let code: [(u32, &[u32]); 2] = [
            (61, &[12, 34, 3]),            // %34 = OpLoad %12 %3
            (95, &[9, 35, 34, 33, 2, 16]), // %35 = OpImageFetch %9 %34 %33 Lod %16
        ];
        let bytes = spirv(&types, &code);
        testing::caught(|| read_bytes(&bytes).is_ok()).is_err()
    }),
    ("number_of_layers", || {
        let reads = |component: u32| {
            let extract = [7, 36, 35, component];
            let code: [(u32, &[u32]); 3] = [
                (61, &[12, 34, 3]),       // %34 = OpLoad %12 %3
                (103, &[10, 35, 34, 16]), // %35 = OpImageQuerySizeLod %10 %34 %16
                (81, &extract),           // %36 = OpCompositeExtract %7 %35 component
            ];
            is_valid(&read_spirv(&[], &code))
        };
        reads(1) && !reads(2)
    }),
    ("switch_order", || {
        let code: [(u32, &[u32]); 8] = [
            (247, &[40, 0]),         // OpSelectionMerge %40 None
            (251, &[17, 41, 1, 42]), // OpSwitch %17 %41 1 %42
            (248, &[41]),            // %41 = OpLabel
            (249, &[42]),            // OpBranch %42
            (248, &[42]),            // %42 = OpLabel
            (62, &[2, 21]),          // OpStore %2 %21
            (249, &[40]),            // OpBranch %40
            (248, &[40]),            // %40 = OpLabel
        ];
        // In the SPIR-V code, the default falls through to the code of the case.
        let [case, default] = &cases(&read_spirv(&[], &code))[..] else { return false };
        let stores = |body: &Block| body.iter().any(|statement| matches!(statement, Statement::Store { .. }));
        default.value == SwitchValue::Default && stores(&case.body) && !stores(&default.body)
    }),
    ("default_leaves_loop", || {
        let code: [(u32, &[u32]); 13] = [
            (249, &[50]),            // OpBranch %50
            (248, &[50]),            // %50 = OpLabel
            (246, &[51, 52, 0]),     // OpLoopMerge %51 %52 None
            (249, &[53]),            // OpBranch %53
            (248, &[53]),            // %53 = OpLabel
            (247, &[54, 0]),         // OpSelectionMerge %54 None
            (251, &[17, 51, 1, 55]), // OpSwitch %17 %51 1 %55
            (248, &[55]),            // %55 = OpLabel
            (249, &[54]),            // OpBranch %54
            (248, &[54]),            // %54 = OpLabel
            (249, &[52]),            // OpBranch %52
            (248, &[52]),            // %52 = OpLabel
            (249, &[50]),            // OpBranch %50
        ];
        let code = [&code[..], &[(248, &[51])]].concat(); // %51 = OpLabel
        let leaves = |statement: &Statement| matches!(statement, Statement::Break | Statement::Return { .. });
        let [.., default] = &cases(&read_spirv(&[], &code))[..] else { return false };
        default.value == SwitchValue::Default && !default.body.iter().any(leaves)
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

/// Returns the module that naga reads from a SPIR-V fragment shader with the given types and code.
fn read_spirv(types: &[(u32, &[u32])], code: &[(u32, &[u32])]) -> Module {
    read_bytes(&spirv(types, code)).unwrap_or_else(|error| panic!("{error}"))
}

fn read_bytes(bytes: &[u8]) -> Result<Module, naga::front::spv::Error> {
    let options = naga::front::spv::Options { strict_capabilities: false, ..Default::default() };
    naga::front::spv::parse_u8_slice(bytes, &options)
}

/// Builds a SPIR-V module with additional types and constants, and with the given code in `main`.
fn spirv(types: &[(u32, &[u32])], code: &[(u32, &[u32])]) -> Vec<u8> {
    let before: [(u32, &[u32]); 28] = [
        (17, &[1]),                       // OpCapability Shader
        (17, &[50]),                      // OpCapability ImageQuery
        (14, &[0, 1]),                    // OpMemoryModel Logical GLSL450
        (15, &[4, 1, 0x6e69_616d, 0, 2]), // OpEntryPoint Fragment %1 "main" %2
        (16, &[1, 7]),                    // OpExecutionMode %1 OriginUpperLeft
        (71, &[2, 30, 0]),                // OpDecorate %2 Location 0
        (71, &[3, 34, 0]),                // OpDecorate %3 DescriptorSet 0
        (71, &[3, 33, 0]),                // OpDecorate %3 Binding 0
        (19, &[4]),                       // %4 = OpTypeVoid
        (33, &[5, 4]),                    // %5 = OpTypeFunction %4
        (20, &[6]),                       // %6 = OpTypeBool
        (21, &[7, 32, 1]),                // %7 = OpTypeInt 32 1
        (22, &[8, 32]),                   // %8 = OpTypeFloat 32
        (23, &[9, 8, 4]),                 // %9 = OpTypeVector %8 4
        (23, &[10, 7, 3]),                // %10 = OpTypeVector %7 3
        (23, &[11, 6, 2]),                // %11 = OpTypeVector %6 2
        (25, &[12, 8, 1, 0, 1, 0, 1, 0]), // %12 = OpTypeImage %8 2D 0 1 0 1 Unknown
        (32, &[13, 0, 12]),               // %13 = OpTypePointer UniformConstant %12
        (32, &[14, 3, 9]),                // %14 = OpTypePointer Output %9
        (59, &[13, 3, 0]),                // %3 = OpVariable %13 UniformConstant
        (59, &[14, 2, 3]),                // %2 = OpVariable %14 Output
        (43, &[7, 16, 0]),                // %16 = OpConstant %7 0
        (43, &[7, 17, 1]),                // %17 = OpConstant %7 1
        (41, &[6, 18]),                   // %18 = OpConstantTrue %6
        (43, &[8, 19, 0x3f80_0000]),      // %19 = OpConstant %8 1.0
        (44, &[9, 21, 19, 19, 19, 19]),   // %21 = OpConstantComposite %9 %19 %19 %19 %19
        (54, &[4, 1, 0, 5]),              // %1 = OpFunction %4 None %5
        (248, &[20]),                     // %20 = OpLabel
    ];
    let (declarations, begins) = before.split_at(26);
    let after: [(u32, &[u32]); 2] = [(253, &[]), (56, &[])]; // OpReturn, OpFunctionEnd
    let all = declarations.iter().chain(types).chain(begins).chain(code).chain(&after);
    crate::spirv(all)
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

fn cases(module: &Module) -> Vec<naga::SwitchCase> {
    fn within(body: &Block) -> Option<Vec<naga::SwitchCase>> {
        body.iter().find_map(|statement| match statement {
            Statement::Switch { cases, .. } => Some(cases.clone()),
            Statement::Loop { body, .. } | Statement::Block(body) => within(body),
            _ => None,
        })
    }
    within(&main(module).body).expect("a switch")
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
