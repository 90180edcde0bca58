//! Storage buffers in SPIR-V.

use naga_front::{Options, Source, read};

/// The module is the SPIR-V that glslang writes for a `writeonly buffer`.
#[test]
fn a_buffer_that_may_not_be_read_is_written() {
    let module: [(u32, &[u32]); 26] = [
        (17, &[1]),                    // OpCapability Shader
        (14, &[0, 1]),                 // OpMemoryModel Logical GLSL450
        (15, &[5, 9, 0x6e69_616d, 0]), // OpEntryPoint GLCompute %9 "main"
        (16, &[9, 17, 1, 1, 1]),       // OpExecutionMode %9 LocalSize 1 1 1
        (71, &[3, 6, 4]),              // OpDecorate %3 ArrayStride 4
        (72, &[4, 0, 35, 0]),          // OpMemberDecorate %4 0 Offset 0
        (72, &[4, 0, 25]),             // OpMemberDecorate %4 0 NonReadable
        (71, &[4, 3]),                 // OpDecorate %4 BufferBlock
        (71, &[6, 34, 0]),             // OpDecorate %6 DescriptorSet 0
        (71, &[6, 33, 0]),             // OpDecorate %6 Binding 0
        (19, &[1]),                    // %1 = OpTypeVoid
        (21, &[2, 32, 0]),             // %2 = OpTypeInt 32 0
        (29, &[3, 2]),                 // %3 = OpTypeRuntimeArray %2
        (30, &[4, 3]),                 // %4 = OpTypeStruct %3
        (32, &[5, 2, 4]),              // %5 = OpTypePointer Uniform %4
        (59, &[5, 6, 2]),              // %6 = OpVariable %5 Uniform
        (33, &[7, 1]),                 // %7 = OpTypeFunction %1
        (32, &[8, 2, 2]),              // %8 = OpTypePointer Uniform %2
        (43, &[2, 10, 7]),             // %10 = OpConstant %2 7
        (43, &[2, 13, 0]),             // %13 = OpConstant %2 0
        (54, &[1, 9, 0, 7]),           // %9 = OpFunction %1 None %7
        (248, &[11]),                  // %11 = OpLabel
        (65, &[8, 12, 6, 13, 13]),     // %12 = OpAccessChain %8 %6 %13 %13
        (62, &[12, 10]),               // OpStore %12 %10
        (253, &[]),                    // OpReturn
        (56, &[]),                     // OpFunctionEnd
    ];
    let lifted = read(&Source::Spirv(&crate::spirv(&module)), &Options::default());
    let text = sdlbc::print(&lifted.unwrap_or_else(|refusals| panic!("{}", refusals[0])).module);
    assert!(text.contains("buffer 0 readwrite") && text.contains("poke"), "{text}");
}
