//! Modules that the tests assemble byte by byte: both byte orders, files that are not SPIR-V, and instructions with no SDLSHADERBC
//! operation.

use spirv_front::{Options, Refusal, read};

/// Builds a SPIR-V module from the opcode and the operands of each instruction. All ids must be below 60.
fn spirv(instructions: &[(u32, &[u32])]) -> Vec<u8> {
    let mut words = vec![0x0723_0203, 0x0001_0000, 0, 60, 0];
    for (op, operands) in instructions {
        words.push((operands.len() as u32 + 1) << 16 | op);
        words.extend(*operands);
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Builds a compute shader that writes a number to a buffer with the given instructions.
fn shader(code: &[(u32, &[u32])]) -> Vec<u8> {
    shader_with(&[], code)
}

/// Builds a shader with further declarations.
fn shader_with(declarations: &[(u32, &[u32])], code: &[(u32, &[u32])]) -> Vec<u8> {
    let before: [(u32, &[u32]); 22] = [
        (17, &[1]),                    // OpCapability Shader
        (14, &[0, 1]),                 // OpMemoryModel Logical GLSL450
        (15, &[5, 9, 0x6e69_616d, 0]), // OpEntryPoint GLCompute %9 "main"
        (16, &[9, 17, 1, 1, 1]),       // OpExecutionMode %9 LocalSize 1 1 1
        (7, &[1, 0x632e_6261, 0]),     // %1 = OpString "ab.c"
        (71, &[3, 6, 4]),              // OpDecorate %3 ArrayStride 4
        (72, &[4, 0, 35, 0]),          // OpMemberDecorate %4 0 Offset 0
        (71, &[4, 3]),                 // OpDecorate %4 BufferBlock
        (71, &[6, 34, 0]),             // OpDecorate %6 DescriptorSet 0
        (71, &[6, 33, 0]),             // OpDecorate %6 Binding 0
        (19, &[14]),                   // %14 = OpTypeVoid
        (21, &[2, 32, 0]),             // %2 = OpTypeInt 32 0
        (29, &[3, 2]),                 // %3 = OpTypeRuntimeArray %2
        (30, &[4, 3]),                 // %4 = OpTypeStruct %3
        (32, &[5, 2, 4]),              // %5 = OpTypePointer Uniform %4
        (59, &[5, 6, 2]),              // %6 = OpVariable %5 Uniform
        (33, &[7, 14]),                // %7 = OpTypeFunction %14
        (32, &[8, 2, 2]),              // %8 = OpTypePointer Uniform %2
        (43, &[2, 10, 7]),             // %10 = OpConstant %2 7
        (43, &[2, 13, 0]),             // %13 = OpConstant %2 0
        (54, &[14, 9, 0, 7]),          // %9 = OpFunction %14 None %7
        (248, &[11]),                  // %11 = OpLabel
    ];
    let after: [(u32, &[u32]); 3] = [(65, &[8, 12, 6, 13, 13]), (253, &[]), (56, &[])]; // OpAccessChain, OpReturn, OpFunctionEnd
    let (types, start) = before.split_at(20);
    let all: Vec<_> = types
        .iter()
        .chain(declarations)
        .chain(start)
        .chain(&after[..1])
        .chain(code)
        .chain(&after[1..])
        .copied()
        .collect();
    spirv(&all)
}

fn refused(bytes: &[u8]) -> Vec<Refusal> {
    read(bytes, &Options::default()).expect_err("it is refused")
}

#[test]
fn a_module_is_the_same_in_either_order_of_bytes() {
    let words = shader(&[(62, &[12, 10])]); // OpStore %12 %10
    let swapped: Vec<u8> = words.chunks(4).flat_map(|word| word.iter().rev()).copied().collect();
    let module = |bytes: &[u8]| read(bytes, &Options::default()).expect("it is lifted").module;
    assert_eq!(module(&words), module(&swapped));
    let text = sdlbc::print(&module(&words));
    assert!(text.contains("uint[] = buffer 0 readwrite") && text.contains("poke"), "{text}");
}

#[test]
fn files_that_are_not_spirv_or_end_early_are_refused() {
    let whole = shader(&[(62, &[12, 10])]);
    for (bytes, said) in [
        (
            &b"OpCapability Shader"[..],
            "invalid SPIR-V: the file does not begin with SPIR-V's magic number 0x07230203 (at byte 0)",
        ),
        (&whole[..18], "invalid SPIR-V: the length of the file is not a multiple of four bytes (at byte 16)"),
        (&whole[..16], "invalid SPIR-V: the file ends inside the header (at byte 16)"),
        (&whole[..24], "invalid SPIR-V: an instruction does not end within the file (at byte 20)"),
    ] {
        assert_eq!(refused(bytes)[0].to_string(), said);
    }
    // No prefix panics.
    for length in 0..whole.len() {
        assert!(read(&whole[..length], &Options::default()).is_err(), "{length} bytes");
    }
}

#[test]
fn a_long_array_of_structures_without_fields_is_refused() {
    let words = spirv(&[
        (17, &[1]),                    // OpCapability Shader
        (14, &[0, 1]),                 // OpMemoryModel Logical GLSL450
        (15, &[5, 9, 0x6e69_616d, 0]), // OpEntryPoint GLCompute %9 "main"
        (16, &[9, 17, 1, 1, 1]),       // OpExecutionMode %9 LocalSize 1 1 1
        (19, &[14]),                   // %14 = OpTypeVoid
        (21, &[2, 32, 0]),             // %2 = OpTypeInt 32 0
        (43, &[2, 10, u32::MAX]),      // %10 = OpConstant %2 4294967295
        (30, &[3]),                    // %3 = OpTypeStruct
        (28, &[4, 3, 10]),             // %4 = OpTypeArray %3 %10
        (32, &[5, 7, 4]),              // %5 = OpTypePointer Function %4
        (33, &[7, 14]),                // %7 = OpTypeFunction %14
        (54, &[14, 9, 0, 7]),          // %9 = OpFunction %14 None %7
        (248, &[11]),                  // %11 = OpLabel
        (59, &[5, 6, 7]),              // %6 = OpVariable %5 Function
        (253, &[]),                    // OpReturn
        (56, &[]),                     // OpFunctionEnd
    ]);
    let said = refused(&words)[0].to_string();
    assert!(said.starts_with("a variable has 4294967295 vectors, but the limit is "), "{said}");
}

#[test]
fn an_instruction_without_an_operation_is_refused_by_its_name_and_its_line() {
    let atomic: (u32, &[u32]) = (318, &[2, 20, 12, 13, 13]); // %20 = OpAtomicFlagTestAndSet %2 %12 %13 %13
    let said = refused(&shader(&[atomic]))[0].to_string();
    assert!(said.starts_with("SDLSHADERBC has no operation for OpAtomicFlagTestAndSet (at byte "), "{said}");
    let line: (u32, &[u32]) = (8, &[1, 12, 3]); // OpLine %1 12 3
    let said = refused(&shader(&[line, atomic]))[0].to_string();
    assert_eq!(said, "SDLSHADERBC has no operation for OpAtomicFlagTestAndSet (ab.c:12)");
}

#[test]
fn conversions_between_widths_of_integers_are_refused_by_their_names() {
    for (opcode, name) in [(113, "OpUConvert"), (114, "OpSConvert")] {
        let said = refused(&shader(&[(opcode, &[2, 20, 10])]))[0].to_string();
        assert!(said.starts_with(&format!("SDLSHADERBC has no operation for {name} (at byte ")), "{said}");
    }
}

#[test]
fn the_list_of_accepted_constructs_has_each_once_in_order() {
    let all = spirv_front::accepted();
    assert!(all.is_sorted_by(|a, b| a < b) && all.len() > 300, "{} constructs", all.len());
    for name in ["OpFAdd", "OpTypeImage", "GLSL.std.450 Acos", "storage class Input", "decoration Flat"] {
        assert!(all.iter().any(|own| own == name), "{name}");
    }
    // A row that is refused where it is used is not accepted.
    assert!(all.iter().all(|own| own != "decoration Patch" && own != "OpUConvert"));
}

#[test]
fn a_switch_on_an_integer_of_64_bits_is_refused_by_its_type() {
    let wide = [
        (21, &[40, 64, 0][..]),               // %40 = OpTypeInt 64 0
        (113, &[40, 41, 10]),                 // %41 = OpUConvert %40 %10
        (247, &[43, 0]),                      // OpSelectionMerge %43 None
        (251, &[41, 43, 1, 0, 42, 2, 0, 42]), // OpSwitch %41 %43 1 %42 2 %42
        (248, &[42]),                         // %42 = OpLabel
        (249, &[43]),                         // OpBranch %43
        (248, &[43]),                         // %43 = OpLabel
    ];
    let refusals = refused(&shader_with(&wide[..1], &wide[1..]));
    let said: Vec<String> = refusals.iter().map(|refusal| refusal.to_string()).collect();
    assert!(said.iter().any(|said| said.contains("no type for integers of 64 bits")), "{said:?}");
    assert!(!said.iter().any(|said| said.contains("invalid SPIR-V")), "{said:?}");
}
