//! Tests each rewrite on a small module. spirv-as assembles the module, and spirv-val checks the rewritten module.

use rspirv::spirv::Op;
use testing::{SPIRV_AS, SPIRV_VAL};

use super::code::Code;
use super::optimise;

/// A fragment shader with inputs %v and %w, a uniform array %u, a texture %t with its sampler %s, and outputs %o and %p.
const HEAD: &str = r#"
OpCapability Shader
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %v %w %o %p
OpExecutionMode %main OriginUpperLeft
OpName %v "colour"
OpName %u "constants"
OpDecorate %v Location 0
OpDecorate %w Location 1
OpDecorate %o Location 0
OpDecorate %p Location 1
OpDecorate %array ArrayStride 16
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %u DescriptorSet 0
OpDecorate %u Binding 0
OpDecorate %t DescriptorSet 0
OpDecorate %t Binding 1
OpDecorate %s DescriptorSet 0
OpDecorate %s Binding 2
"#;

const TYPES: &str = r"
%void = OpTypeVoid
%code = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%vec3 = OpTypeVector %float 3
%vec4 = OpTypeVector %float 4
%pair = OpTypeStruct %vec4 %vec4
%false = OpConstantFalse %bool
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%eight = OpConstant %uint 8
%low = OpConstant %int 0
%high = OpConstant %int 7
%f0 = OpConstant %float 0
%f1 = OpConstant %float 1
%array = OpTypeArray %vec4 %eight
%block = OpTypeStruct %array
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampler = OpTypeSampler
%combined = OpTypeSampledImage %image
%in4 = OpTypePointer Input %vec4
%out4 = OpTypePointer Output %vec4
%ublock = OpTypePointer Uniform %block
%uarray = OpTypePointer Uniform %array
%u4 = OpTypePointer Uniform %vec4
%uimage = OpTypePointer UniformConstant %image
%usampler = OpTypePointer UniformConstant %sampler
%local = OpTypePointer Function %vec4
%v = OpVariable %in4 Input
%w = OpVariable %in4 Input
%o = OpVariable %out4 Output
%p = OpVariable %out4 Output
%u = OpVariable %ublock Uniform
%t = OpVariable %uimage UniformConstant
%s = OpVariable %usampler UniformConstant
%main = OpFunction %void None %code
%begin = OpLabel
";

/// Returns the instructions after the first label of the optimised function, one per line, or `None` if spirv-as or spirv-val is
/// missing.
fn shortened_with(extra: &str, code: &str) -> Option<Vec<String>> {
    if !SPIRV_AS.is_there() || !SPIRV_VAL.is_there() {
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let [text, binary] = ["a.spvasm", "a.spv"].map(|name| folder.path().join(name));
    std::fs::write(&text, format!("{HEAD}{extra}{TYPES}{code}\nOpReturn\nOpFunctionEnd\n")).expect("the file");
    let options = ["--target-env", "spv1.3", "-o"].map(std::ffi::OsStr::new);
    let assemble = [&options[..], &[binary.as_os_str(), text.as_os_str()]].concat();
    SPIRV_AS.run(&assemble).unwrap_or_else(|said| panic!("{said}"));
    let valid = || SPIRV_VAL.run(&["--target-env".as_ref(), "vulkan1.1".as_ref(), binary.as_os_str()]);
    valid().unwrap_or_else(|said| panic!("before: {said}"));
    let bytes = std::fs::read(&binary).expect("the file");
    let words: Vec<u32> = bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let short = optimise(words.clone());
    assert!(Code::parse(&words).is_some() && short.len() <= words.len(), "longer, or not understood");
    assert_eq!(optimise(short.clone()), short, "a second run changes nothing");
    std::fs::write(&binary, short.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()).expect("the file");
    let all = crate::spirv_assembly(&short).expect("words");
    valid().unwrap_or_else(|said| panic!("after: {said}\n{all}"));
    assert!(all.contains("\"colour\"") && all.contains("\"constants\""), "names are kept\n{all}");
    let after = all.lines().skip_while(|line| !line.contains("= OpFunction ")).skip(2);
    Some(after.take_while(|line| *line != "OpFunctionEnd").map(str::to_string).collect())
}

fn shortened(code: &str) -> Option<Vec<String>> {
    shortened_with("", code)
}

fn operations(lines: &[String]) -> Vec<&str> {
    let is_operation = |word: &&str| word.starts_with("Op");
    lines.iter().filter_map(|line| line.split_whitespace().find(is_operation)).collect()
}

#[track_caller]
fn leaves(code: &str, expected: &[&str]) {
    let Some(lines) = shortened(code) else { return };
    assert_eq!(operations(&lines), [expected, &["OpReturn"]].concat(), "{lines:#?}");
}

#[test]
fn a_structure_that_is_taken_apart_again_is_not_made() {
    leaves(
        "%a = OpLoad %vec4 %v\n%b = OpLoad %vec4 %w\n%both = OpCompositeConstruct %pair %a %b\n\
         %c = OpCompositeExtract %vec4 %both 0\nOpStore %o %c\n%d = OpCompositeExtract %vec4 %both 1\nOpStore %p %d\n\
         %x = OpCompositeExtract %float %both 1 2",
        &["OpLoad", "OpLoad", "OpStore", "OpStore"],
    );
}

#[test]
fn blocks_in_a_row_become_one() {
    leaves(
        "%a = OpLoad %vec4 %v\nOpBranch %next\n%next = OpLabel\nOpStore %o %a\nOpBranch %last\n%last = OpLabel",
        &["OpLoad", "OpStore"],
    );
}

#[test]
fn an_address_is_computed_once_and_from_the_variable() {
    leaves(
        "%base = OpAccessChain %uarray %u %zero\n%a = OpAccessChain %u4 %base %one\n%x = OpLoad %vec4 %a\n\
         %again = OpAccessChain %uarray %u %zero\n%b = OpAccessChain %u4 %again %one\n%y = OpLoad %vec4 %b\n\
         %sum = OpFAdd %vec4 %x %y\nOpStore %o %sum",
        &["OpAccessChain", "OpLoad", "OpFAdd", "OpStore"],
    );
}

#[test]
fn what_one_arm_has_computed_is_not_used_in_the_other_or_after_them() {
    let code = "OpSelectionMerge %after None\nOpBranchConditional %false %yes %no\n%yes = OpLabel\n%a = OpLoad %vec4 %v\n\
         OpStore %o %a\nOpBranch %after\n%no = OpLabel\n%b = OpLoad %vec4 %v\nOpStore %p %b\nOpBranch %after\n\
         %after = OpLabel\n%c = OpLoad %vec4 %v\nOpStore %o %c";
    let Some(lines) = shortened(code) else { return };
    assert_eq!(operations(&lines).iter().filter(|op| **op == "OpLoad").count(), 3, "{lines:#?}");
}

#[test]
fn what_an_output_holds_is_read_again() {
    leaves(
        "%a = OpLoad %vec4 %v\nOpStore %o %a\n%x = OpLoad %vec4 %o\n%b = OpFAdd %vec4 %x %x\nOpStore %o %b\n\
         %y = OpLoad %vec4 %o\nOpStore %p %y",
        &["OpLoad", "OpStore", "OpLoad", "OpFAdd", "OpStore", "OpLoad", "OpStore"],
    );
}

const SAMPLES: &str = "%image1 = OpLoad %image %t\n%sampler1 = OpLoad %sampler %s\n\
    %both1 = OpSampledImage %combined %image1 %sampler1\n%a = OpLoad %vec4 %v\n%at = OpVectorShuffle %vec2 %a %a 0 1\n\
    %x = OpImageSampleImplicitLod %vec4 %both1 %at\nOpStore %o %x\n";

#[test]
fn an_image_is_combined_with_its_sampler_once_in_a_block() {
    leaves(
        &format!(
            "{SAMPLES}%image2 = OpLoad %image %t\n%sampler2 = OpLoad %sampler %s\n\
             %both2 = OpSampledImage %combined %image2 %sampler2\n%away = OpVectorShuffle %vec2 %a %a 2 3\n\
             %y = OpImageSampleImplicitLod %vec4 %both2 %away\nOpStore %p %y"
        ),
        &[
            "OpLoad",
            "OpLoad",
            "OpSampledImage",
            "OpLoad",
            "OpVectorShuffle",
            "OpImageSampleImplicitLod",
            "OpStore",
            "OpVectorShuffle",
            "OpImageSampleImplicitLod",
            "OpStore",
        ],
    );
    let code = format!(
        "{SAMPLES}OpSelectionMerge %after None\nOpBranchConditional %false %yes %after\n%yes = OpLabel\n\
         %both2 = OpSampledImage %combined %image1 %sampler1\n%y = OpImageSampleImplicitLod %vec4 %both2 %at\n\
         OpStore %p %y\nOpBranch %after\n%after = OpLabel"
    );
    let Some(lines) = shortened(&code) else { return };
    assert_eq!(operations(&lines).iter().filter(|op| **op == "OpSampledImage").count(), 2, "{lines:#?}");
}

#[test]
fn a_vector_of_the_components_of_one_or_two_is_a_shuffle_or_the_vector() {
    let parts = "%a = OpLoad %vec4 %v\n%b = OpLoad %vec4 %w\n%x = OpCompositeExtract %float %a 0\n\
        %y = OpCompositeExtract %float %a 1\n%z = OpCompositeExtract %float %a 2\n%q = OpCompositeExtract %float %a 3\n\
        %r = OpCompositeExtract %float %b 2\n";
    leaves(&format!("{parts}%s2 = OpCompositeConstruct %vec4 %x %y %z %q\nOpStore %o %s2"), &["OpLoad", "OpStore"]);
    for (construct, shuffle) in [("%x %z %y %q", "0 2 1 3"), ("%r %x %y %r", "2 4 5 2"), ("%x %y %f1 %f0", "0 1 4 5")] {
        let code = format!("{parts}%made = OpCompositeConstruct %vec4 {construct}\nOpStore %o %made");
        let Some(lines) = shortened(&code) else { return };
        let moves = lines.iter().filter(|line| line.contains("OpComposite") || line.contains("OpVectorShuffle"));
        let moves: Vec<&String> = moves.collect();
        assert!(moves.len() == 1 && moves[0].ends_with(shuffle), "{construct}: {lines:#?}");
    }
    let root = "%d = OpDot %float %a %b\n";
    leaves(
        &format!("{parts}{root}%made = OpCompositeConstruct %vec4 %x %d %z %q\nOpStore %o %made"),
        &["OpLoad", "OpLoad", "OpDot", "OpCompositeInsert", "OpStore"],
    );
    // A vector that takes its components from three vectors needs the same number of instructions before and after a rewrite.
    leaves(
        &format!("{parts}{root}%made = OpCompositeConstruct %vec4 %x %d %r %d\nOpStore %o %made"),
        &["OpLoad", "OpLoad", "OpCompositeExtract", "OpCompositeExtract", "OpDot", "OpCompositeConstruct", "OpStore"],
    );
}

#[test]
fn a_shuffle_of_a_shuffle_is_one() {
    let code = "%a = OpLoad %vec4 %v\n%b = OpLoad %vec4 %w\n%x = OpVectorShuffle %vec3 %a %b 6 1 4\n\
        %y = OpVectorShuffle %vec4 %x %x 2 1 0 2\nOpStore %o %y";
    let Some(lines) = shortened(code) else { return };
    assert_eq!(operations(&lines), ["OpLoad", "OpLoad", "OpVectorShuffle", "OpStore", "OpReturn"]);
    assert!(lines[2].ends_with("0 5 2 0"), "{lines:#?}");
}

#[test]
fn a_vector_with_an_undefined_component_is_not_the_whole_vector() {
    let code = "%a = OpLoad %vec4 %v\n%x = OpVectorShuffle %vec4 %a %a 0 0xffffffff 2 3\n\
        %y = OpVectorShuffle %vec4 %x %x 0 1 2 3\nOpStore %o %y";
    leaves(code, &["OpLoad", "OpVectorShuffle", "OpVectorShuffle", "OpStore"]);
}

#[test]
fn one_component_of_a_uniform_is_loaded_alone() {
    let load = "%a = OpAccessChain %u4 %u %zero %one\n%x = OpLoad %vec4 %a\n%y = OpCompositeExtract %float %x 2\n";
    leaves(
        &format!("{load}%w4 = OpLoad %vec4 %w\n%b = OpVectorTimesScalar %vec4 %w4 %y\nOpStore %o %b"),
        &["OpAccessChain", "OpLoad", "OpLoad", "OpVectorTimesScalar", "OpStore"],
    );
    // If the code reads a second component, loading the whole vector takes no more instructions than loading both components.
    leaves(
        &format!(
            "{load}%z = OpCompositeExtract %float %x 1\n%w4 = OpLoad %vec4 %w\n%b = OpFAdd %float %y %z\n\
             %c = OpVectorTimesScalar %vec4 %w4 %b\nOpStore %o %c"
        ),
        &[
            "OpAccessChain",
            "OpLoad",
            "OpCompositeExtract",
            "OpCompositeExtract",
            "OpLoad",
            "OpFAdd",
            "OpVectorTimesScalar",
            "OpStore",
        ],
    );
}

#[test]
fn a_product_with_equal_components_is_one_with_a_scalar() {
    leaves(
        "%a = OpLoad %vec4 %v\n%b = OpLoad %vec4 %w\n%x = OpDot %float %a %b\n\
         %c = OpCompositeConstruct %vec4 %x %x %x %x\n%d = OpFMul %vec4 %c %a\nOpStore %o %d",
        &["OpLoad", "OpLoad", "OpDot", "OpVectorTimesScalar", "OpStore"],
    );
}

#[test]
fn a_clamped_index_is_one_instruction_if_its_limits_are_in_order() {
    let clamped = |low: &str, high: &str| {
        shortened(&format!(
            "%a = OpLoad %vec4 %v\n%x = OpCompositeExtract %float %a 0\n%i = OpConvertFToS %int %x\n\
             %j = OpExtInst %int %glsl SMax %i {low}\n%k = OpExtInst %int %glsl SMin %j {high}\n\
             %b = OpAccessChain %u4 %u %zero %k\n%c = OpLoad %vec4 %b\nOpStore %o %c"
        ))
    };
    let (Some(short), Some(long)) = (clamped("%low", "%high"), clamped("%high", "%low")) else { return };
    let count = |lines: &[String]| lines.iter().filter(|line| line.contains("OpExtInst")).count();
    assert!(count(&short) == 1 && short.iter().any(|line| line.contains("SClamp")), "{short:#?}");
    assert_eq!(count(&long), 2, "{long:#?}");
}

#[test]
fn what_nothing_uses_goes_and_what_is_named_stays() {
    let code = "%a = OpLoad %vec4 %v\n%x = OpExtInst %vec4 %glsl Sin %a\n%y = OpFAdd %vec4 %x %x\n\
        %b = OpLoad %vec4 %w\nOpStore %o %b";
    leaves(code, &["OpLoad", "OpStore"]);
}

#[test]
fn a_decorated_instruction_is_not_another() {
    let code = "%a = OpLoad %vec4 %v\n%x = OpFMul %vec4 %a %a\n%y = OpFMul %vec4 %a %a\nOpStore %o %x\nOpStore %p %y";
    let Some(lines) = shortened_with("OpDecorate %y RelaxedPrecision\n", code) else { return };
    assert_eq!(operations(&lines), ["OpLoad", "OpFMul", "OpFMul", "OpStore", "OpStore", "OpReturn"]);
    leaves(code, &["OpLoad", "OpFMul", "OpStore", "OpStore"]);
}

#[test]
fn a_variable_of_both_arms_is_an_op_phi_and_one_of_no_arm_is_a_value() {
    let code = "%k = OpVariable %local Function\n%n = OpVariable %local Function\n%a = OpLoad %vec4 %v\nOpStore %n %a\n\
        OpSelectionMerge %after None\nOpBranchConditional %false %yes %no\n%yes = OpLabel\n%b = OpFAdd %vec4 %a %a\n\
        OpStore %k %b\nOpBranch %after\n%no = OpLabel\nOpStore %k %a\nOpBranch %after\n%after = OpLabel\n\
        %c = OpLoad %vec4 %k\nOpStore %o %c\n%d = OpLoad %vec4 %n\nOpStore %p %d";
    let Some(lines) = shortened(code) else { return };
    let operations = operations(&lines);
    let count = |op: &str| operations.iter().filter(|other| **other == op).count();
    assert_eq!([count("OpVariable"), count("OpPhi"), count("OpStore"), count("OpLoad")], [0, 1, 2, 1], "{lines:#?}");
}

/// Optimises a function with a loop that adds to %sum. `inside` is additional code in the loop, and `after` is code after the
/// loop.
fn repeated(inside: &str, after: &str) -> Option<Vec<String>> {
    shortened(&format!(
        "%sum = OpVariable %local Function\n%other = OpVariable %local Function\n%a = OpLoad %vec4 %v\n\
         OpStore %sum %a\nOpStore %other %a\nOpBranch %head\n%head = OpLabel\nOpLoopMerge %end %next None\n\
         OpBranch %body\n%body = OpLabel\n%x = OpLoad %vec4 %sum\n%y = OpFAdd %vec4 %x %a\n{inside}\nOpStore %sum %y\n\
         %z = OpCompositeExtract %float %y 0\n%large = OpFOrdGreaterThan %bool %z %f1\n\
         OpSelectionMerge %on None\nOpBranchConditional %large %leave %on\n%leave = OpLabel\nOpBranch %end\n\
         %on = OpLabel\nOpBranch %next\n%next = OpLabel\nOpBranch %head\n%end = OpLabel\n\
         %r = OpLoad %vec4 %sum\nOpStore %o %r\n{after}"
    ))
}

#[test]
fn a_variable_of_a_loop_is_an_op_phi_of_its_header() {
    let count = |lines: &[String], op| operations(lines).iter().filter(|other| **other == op).count();
    let Some(lines) = repeated("", "") else { return };
    assert_eq!([count(&lines, "OpPhi"), count(&lines, "OpVariable")], [1, 0], "{lines:#?}");
    // A variable that has the same value in each iteration, and a variable that is written but not read, need no OpPhi.
    let Some(lines) =
        repeated("%h = OpLoad %vec4 %other\nOpStore %other %h", "%i = OpLoad %vec4 %other\nOpStore %p %i")
    else {
        return;
    };
    assert_eq!(count(&lines, "OpPhi"), 1, "{lines:#?}");
    let Some(lines) = repeated("OpStore %other %y", "") else { return };
    assert_eq!(count(&lines, "OpPhi"), 1, "{lines:#?}");
    let Some(lines) = repeated("OpStore %other %x", "%i = OpLoad %vec4 %other\nOpStore %p %i") else { return };
    // At the end of the loop, %other has the value that %sum had at the beginning of the iteration.
    assert_eq!(count(&lines, "OpPhi"), 1, "{lines:#?}");
}

#[test]
fn a_variable_that_only_one_arm_gives_a_value_is_undefined_in_the_other() {
    leaves(
        "%k = OpVariable %local Function\n%a = OpLoad %vec4 %v\nOpSelectionMerge %after None\n\
         OpBranchConditional %false %yes %after\n%yes = OpLabel\nOpStore %k %a\nOpBranch %after\n%after = OpLabel\n\
         %c = OpLoad %vec4 %k\nOpStore %o %c",
        &["OpLoad", "OpSelectionMerge", "OpBranchConditional", "OpLabel", "OpBranch", "OpLabel", "OpPhi", "OpStore"],
    );
}

#[test]
fn a_variable_whose_parts_are_written_stays() {
    let code = "%k = OpVariable %local Function\n%a = OpLoad %vec4 %v\nOpStore %k %a\n%b = OpLoad %vec4 %k Volatile\n\
        OpStore %o %b";
    leaves(code, &["OpVariable", "OpLoad", "OpStore", "OpLoad", "OpStore"]);
}

#[test]
fn long_instructions_keep_their_operands() {
    let numbers = || 0..40;
    let cases: String = numbers().map(|number| format!(" {number} %case{number}")).collect();
    let case = |number| {
        format!("%case{number} = OpLabel\n%x{number} = OpFAdd %vec4 %x %a\nOpStore %k %x{number}\nOpBranch %after\n")
    };
    let blocks: String = numbers().map(case).collect();
    let Some(lines) = shortened(&format!(
        "%k = OpVariable %local Function\n%a = OpLoad %vec4 %v\n%x = OpLoad %vec4 %w\nOpStore %k %x\n\
         %y = OpCompositeExtract %float %a 0\n%i = OpConvertFToS %int %y\nOpSelectionMerge %after None\n\
         OpSwitch %i %after{cases}\n{blocks}%after = OpLabel\n%b = OpLoad %vec4 %k\nOpStore %o %b"
    )) else {
        return;
    };
    let ids = |op: &str| lines.iter().find(|line| line.contains(op)).map_or(0, |line| line.matches('%').count());
    // The OpSwitch has a selector and 41 labels; the OpPhi has a type, a result, and a value and a label for each of 41 blocks.
    assert_eq!([ids("OpSwitch"), ids("OpPhi")], [42, 84], "{lines:#?}");
}

#[test]
fn unknown_words_stay_as_they_are() {
    let nonsense: Vec<u32> = vec![0x0723_0203, 0x0001_0300, 0, 4, 0, 0x0001_ffff];
    assert_eq!(optimise(nonsense.clone()), nonsense);
    for words in [
        vec![],
        vec![1, 2, 3],
        vec![0, 0, 0, u32::MAX, 0],
        vec![0, 0, 0, 0, 0, 0],
        vec![0, 0, 0, 2, 0, Op::Return as u32],
        vec![0, 0, 0, 2, 0, 0x0003_0000 | Op::Load as u32],
    ] {
        assert_eq!(optimise(words.clone()), words);
    }
}
