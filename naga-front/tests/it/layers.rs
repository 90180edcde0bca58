//! The number of layers of a texture: SPIR-V returns the number together with the texture's size, but naga does not.

use naga_front::{Options, RefusalKind, Source, read};

/// Builds a fragment shader that queries the size of an array texture as ints. `code` follows the query, %16, and computes the
/// float %18.
pub(crate) fn shader(code: &[(u32, &[u32])]) -> Vec<u8> {
    let before: [(u32, &[u32]); 28] = [
        (17, &[1]),                         // OpCapability Shader
        (17, &[50]),                        // OpCapability ImageQuery
        (14, &[0, 1]),                      // OpMemoryModel Logical GLSL450
        (15, &[4, 13, 0x6e69_616d, 0, 12]), // OpEntryPoint Fragment %13 "main" %12
        (16, &[13, 7]),                     // OpExecutionMode %13 OriginUpperLeft
        (71, &[7, 34, 0]),                  // OpDecorate %7 DescriptorSet 0
        (71, &[7, 33, 0]),                  // OpDecorate %7 Binding 0
        (71, &[12, 30, 0]),                 // OpDecorate %12 Location 0
        (19, &[1]),                         // %1 = OpTypeVoid
        (33, &[2, 1]),                      // %2 = OpTypeFunction %1
        (21, &[3, 32, 1]),                  // %3 = OpTypeInt 32 1
        (22, &[4, 32]),                     // %4 = OpTypeFloat 32
        (25, &[5, 4, 1, 0, 1, 0, 1, 0]),    // %5 = OpTypeImage %4 2D 0 1 0 1 Unknown
        (32, &[6, 0, 5]),                   // %6 = OpTypePointer UniformConstant %5
        (59, &[6, 7, 0]),                   // %7 = OpVariable %6 UniformConstant
        (23, &[8, 3, 3]),                   // %8 = OpTypeVector %3 3
        (23, &[9, 4, 3]),                   // %9 = OpTypeVector %4 3
        (21, &[24, 32, 0]),                 // %24 = OpTypeInt 32 0
        (23, &[21, 24, 3]),                 // %21 = OpTypeVector %24 3
        (23, &[10, 4, 4]),                  // %10 = OpTypeVector %4 4
        (32, &[11, 3, 10]),                 // %11 = OpTypePointer Output %10
        (59, &[11, 12, 3]),                 // %12 = OpVariable %11 Output
        (43, &[3, 20, 0]),                  // %20 = OpConstant %3 0
        (54, &[1, 13, 0, 2]),               // %13 = OpFunction %1 None %2
        (248, &[14]),                       // %14 = OpLabel
        (61, &[5, 15, 7]),                  // %15 = OpLoad %5 %7
        (103, &[8, 16, 15, 20]),            // %16 = OpImageQuerySizeLod %8 %15 %20
        (111, &[9, 17, 16]),                // %17 = OpConvertSToF %9 %16
    ];
    let after: [(u32, &[u32]); 4] = [
        (80, &[10, 19, 18, 18, 18, 18]), // %19 = OpCompositeConstruct %10 %18 %18 %18 %18
        (62, &[12, 19]),                 // OpStore %12 %19
        (253, &[]),                      // OpReturn
        (56, &[]),                       // OpFunctionEnd
    ];
    crate::spirv(before.iter().chain(code).chain(&after))
}

#[test]
fn operands_of_images_that_naga_drops_are_refused() {
    // Returns the refusal of an image instruction. One operand of the instruction is a mask that announces further operands.
    let with = |op: u32, bits: u32, at: usize| {
        let mut words = vec![0x0723_0203, 0x0001_0000, 0, 30, 0, 9 << 16 | op];
        words.extend([1, 2, 3, 4, 5, 6, 7, 8]);
        words[5 + at] = bits;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let Err(refusals) = read(&Source::Spirv(&bytes), &Options::default()) else { panic!("it is lifted") };
        refusals[0].to_string()
    };
    for (op, bits, at, what) in [
        (95, 2 | 8, 5, "a fetch with an offset"),
        (95, 0x10, 5, "a fetch with an offset"),
        (87, 0x10, 5, "a sample with an offset that is not constant"),
        (90, 2 | 0x10, 6, "a sample with an offset that is not constant"),
        (96, 0x20, 6, "a gather with four offsets"),
        (87, 0x80, 5, "a sample with a minimal level of detail"),
    ] {
        let expected = format!("SDLSHADERBC has no operation for {what}, which naga reads without that operand");
        assert_eq!(with(op, bits, at), expected);
    }
    assert!(!with(87, 8, 5).contains("without that operand"), "a constant offset of a sample is read");
}

#[test]
fn the_number_of_layers_is_read_from_sizes_with_other_signs() {
    let bits = shader(&[
        (103, &[21, 25, 15, 20]), // %25 = OpImageQuerySizeLod %21 %15 %20
        (124, &[8, 22, 25]),      // %22 = OpBitcast %8 %25
        (81, &[3, 23, 22, 2]),    // %23 = OpCompositeExtract %3 %22 2
        (111, &[4, 18, 23]),      // %18 = OpConvertSToF %4 %23
    ]);
    let lifted = read(&Source::Spirv(&bits), &Options::default()).unwrap_or_else(|refusals| panic!("{refusals:?}"));
    let text = sdlbc::print(&lifted.module);
    assert!(text.contains("texturesize") && text.contains(", z"), "{text}");
}

#[test]
fn what_would_be_computed_without_the_number_of_layers_is_refused() {
    // %18 = OpCompositeExtract %4 %17 1
    let width = shader(&[(81, &[4, 18, 17, 1])]);
    if let Err(refusals) = read(&Source::Spirv(&width), &Options::default()) {
        panic!("{refusals:?}");
    }
    // %18 = OpDot %4 %17 %17, and OpCompositeExtract %4 %17 2
    for code in [(148, &[4, 18, 17, 17][..]), (81, &[4, 18, 17, 2])] {
        let all = shader(&[code]);
        let Err(refusals) = read(&Source::Spirv(&all), &Options::default()) else { panic!("it is lifted") };
        assert!(
            matches!(&refusals[..], [refusal] if matches!(&refusal.kind, RefusalKind::Operation { name } if name.contains("its number of layers, which naga omits"))),
            "{refusals:?}"
        );
    }
}
