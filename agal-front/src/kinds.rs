// The table of findings. Each row contains the documentation, name, data, number, level, message and help of one cause.
// `finding.rs` includes this file.
//
// Numbers below 9000 come from Flash Player's published error list. This crate's own numbers are 9001 to 9099 for programs, from
// 9101 on for source text, and from 9301 on for AGAL text in pasted code and for procedures.
//
// An `Error` is an error for the player and for this crate. A `Tolerable` finding is an error unless the caller allows it. A
// program with a `Strict` finding still has a single clear meaning, so the finding is an error only if the caller requests
// the player's judgement. A `Warning` never makes a program invalid.

sdlbc::finding_table! {
    /// A first byte other than A0, with which AGAL bytecode begins.
    Magic { found: u8 }, 3616, Error,
        format!("this is not AGAL bytecode: the first byte is {found:02X}, not A0"),
        if *found == 0xb0 { help("B0 marks raw GLSL in other players' files, which contain no AGAL") } else { None };
    /// A program too short to contain the header and one token.
    Truncated { bytes: usize }, 3615, Error,
        format!("the program {}has {}, but the header and one token need 31 bytes", if *bytes == 0 { "is empty: it " } else { "" }, counted(*bytes, "byte")),
        help(match bytes { 0 => "write a program to the file, as text or bytecode, or name another file", _ => "the file is cut off, or is not AGAL bytecode" });
    /// Bytecode in big-endian order, as declared by the caller or apparent from the version bytes.
    BigEndian { asked: bool }, 3612, Error,
        if *asked { "the program's `ByteArray` is big endian, its default, and the player accepts only little endian" } else { "the version is written with its high byte first" },
        help("set `ByteArray.endian` to little endian before writing the program");
    /// An AGAL version that does not exist.
    Version { found: u32 }, 3617, if *found == 0 { Tolerable } else { Error },
        format!("AGAL version {found} is not known"), match found { 0 => Some(Help::with("{} reads it as version 1", Remedy::Allow(3617))), _ => help("versions are 1 to 4; in bytecode the version is a 32-bit little-endian word at byte 1") };
    /// A header in which the byte before the stage is not A1.
    StageMarker { found: u8 }, 3618, Error,
        format!("the byte before the stage is {found:02X}, not A1"), help("the header consists of A0, a four-byte version, A1 and the stage; the file may be damaged");
    /// A stage number that denotes neither a vertex nor a fragment program.
    StageNumber { found: u8 }, 3619, Error,
        format!("stage {found} is not known"), help("0 denotes a vertex program, and 1 a fragment program");
    /// Bytes after the last complete token.
    TrailingBytes { bytes: usize }, 9021, Warning,
        format!("{} after the last token, too few for another, {} ignored", counted(*bytes, "byte"), if *bytes == 1 { "is" } else { "are" }), help("the file may be cut off");
    /// More tokens than the program's AGAL version allows.
    TooManyTokens { tokens: usize, limit: usize }, 3629, Strict,
        format!("the program has {tokens} tokens, but the player accepts at most {limit} in this version"), help("shorten the program, or set a higher version: version 1 allows 200 tokens, version 2 allows 1024, and version 3 allows 2048");

    /// An opcode beyond the end of the opcode table.
    OpcodeRange { found: u32 }, 3620, Error,
        format!("opcode {found} (0x{found:X}) exceeds the last opcode, 0x2E"), help("the file may be damaged, or may use a later, unknown version");
    /// An opcode number that has no operation.
    OpcodeReserved { found: u32 }, 3621, Error,
        format!("opcode 0x{found:02X} has no operation"), help("the file may be damaged, or may predate the publication of AGAL 1, before which `els` was 0x22 and `eif` was 0x23");
    /// An operation of a later version: `tld` (3805), `ddx`, `ddy` or `ted` (3726), any operation except `tld`, `ddx`, `ddy` and
    /// `ted` (3621).
    OpcodeVersion { mnemonic: &'static str, since: u32, version: u32 }, match *mnemonic { "tld" => 3805, "ddx" | "ddy" | "ted" => 3726, _ => 3621 }, Tolerable,
        format!("`{mnemonic}` needs AGAL {since}, but this is a version {version} program"), Some(Help::with("set the version with {}", Remedy::Version(*since)).and(", ", "state it in the header comment").and(", or ", "do not use the opcode"));
    /// An operation that the program's stage does not have: one for fragment programs only (3622), one for vertex programs
    /// only (3803).
    OpcodeStage { mnemonic: &'static str, only: Stage }, if *only == Stage::Vertex { 3803 } else { 3622 }, Error,
        format!("`{mnemonic}` is allowed only in {only} programs"), help(match *mnemonic { "tex" => "in a vertex program use `tld`, from AGAL 4 on", "tld" | "ted" => "use `tex`", "kil" => "move the test to the fragment program", _ => "compute it in the fragment program" });
    /// An operation that has an opcode number but no published documentation.
    Undocumented { mnemonic: &'static str }, 9023, Error,
        format!("`{mnemonic}` is not documented: no published source defines its level of detail"),
        Some(Help::with("{} takes the level from the coordinate's w", Remedy::AllowTed).and("; ", "`tex` computes the level itself"));
    /// An undocumented operation that the caller allows.
    UndocumentedLevel { mnemonic: &'static str, from: Option<char> }, 9006, Warning,
        match from {
            Some(from) => format!("`{mnemonic}` is not documented; the level of detail is taken from the coordinate's `.{from}`"),
            None => format!("`{mnemonic}` is not documented; the level of detail is 0, because the coordinate's swizzle names no fourth component"),
        }, None;

    /// An `eif` that closes no conditional.
    EifWithoutIf, 3623, Error, "`eif` does not close a conditional", help("remove it, or open a conditional before it with `ife`, `ine`, `ifg` or `ifl`");
    /// An `els` outside a conditional, or a second `els` in the same conditional.
    ElsMisplaced, 3752, Error, "`els` is outside a conditional, or follows another `els`", help("a conditional consists of an `if`, at most one `els`, and an `eif`");
    /// A conditional that is not closed.
    UnclosedIf { mnemonic: &'static str, token: u32 }, 3739, Error,
        format!("the `{mnemonic}` at token {token} is never closed"), help("add `eif` where the conditional ends");
    /// Conditionals nested more than 32 deep, the limit of SDLSHADERBC.
    NestingLimit { limit: usize }, 9022, Error, format!("conditionals are nested more than {limit} levels deep"), help("combine conditions, or compute both results and select one with `sge` and `slt`");
    /// Conditionals nested deeper than the player accepts.
    Nesting { depth: usize }, 3624, Strict,
        format!("conditionals are nested {depth} levels deep here, but the limit of Adobe's assembler is 4"), help("combine conditions, or compute both results and select one with `sge` and `slt`");
    /// A branch without instructions.
    EmptyBranch { mnemonic: &'static str, token: u32 }, 3748, Strict,
        format!("the branch that `{mnemonic}` opens at token {token} has no instructions"), help("remove the branch, or invert the condition if only `els` has instructions");
    /// A condition that compares an operand with itself.
    ConstantCondition { mnemonic: &'static str }, 3758, Strict,
        format!("`{mnemonic}` compares an operand with itself, so its outcome is known"), help("remove the conditional");
    /// An output written inside a conditional.
    OutputInConditional { register: String }, 3751, Strict, format!("`{register}` is written inside a conditional, which Flash's list of errors forbids"), help("write a temporary there, and move it to the output after the conditional");
    /// A derivative taken inside a conditional.
    DerivativeInConditional { mnemonic: &'static str }, 3742, Error,
        format!("`{mnemonic}` is inside a conditional, where the neighbouring fragments may not run"), help("take the derivative before the conditional");
    /// Inside a conditional, a sample at a coordinate that is not a varying.
    ComputedCoordinate, 3741, Strict,
        "`tex` inside a conditional reads a coordinate that is not a varying, and Flash's list of errors allows only varyings there", help("sample before the conditional");
    /// Inside a conditional, a sample at a coordinate computed there, so the mip level is undefined.
    UnknownLevel, 3741, Tolerable,
        "`tex` inside a conditional reads a coordinate that is computed there, so its mip level is undefined",
        help("compute the coordinate before the conditional, or use a sampler without mip levels");

    /// An unused operand field that is not zero.
    UnusedSlot { mnemonic: &'static str }, 3636, Strict, format!("`{mnemonic}` does not use this operand, but its word is not zero"), help("set the word to zero");
    /// A destination field that is not zero on an operation without a destination.
    UnusedDestination { mnemonic: &'static str }, 3627, Strict, format!("`{mnemonic}` has no destination, but its destination field is not zero"), help("set the word to zero");
    /// Reserved bits that are not zero.
    ReservedBits { bits: u64 }, 3654, Strict, format!("reserved bits are set (0x{bits:X})"), help("set them to zero");
    /// A register type that does not exist.
    RegisterType { found: u8 }, 3655, Error, format!("register type {found} does not exist"), help("types are 0 attribute, 1 constant, 2 temporary, 3 output, 4 varying, 5 sampler, 6 depth, 7 instance id");
    /// An operation whose operands are all constants.
    OnlyConstants { mnemonic: &'static str }, 3625, Strict,
        format!("`{mnemonic}` has only constants as operands"), help("compute the result in the application, which sets the constants");
    /// An operation whose operands are both read through an index register.
    BothIndirect { mnemonic: &'static str }, 3626, Strict, format!("both operands of `{mnemonic}` are read through an index register"), help("copy one of them into a temporary first");
    /// A register that the version and stage do not have: a sampler (3656), a varying (3657), an attribute (3658), a constant (3659), an output (3660), a fragment program's output in version 2 or later (3760), a temporary (3661), the depth (3749), the instance id (3789).
    RegisterRange { register: String, file: File, stage: Stage, version: u32, count: u32, profile: Option<&'static str> }, match file { File::Sampler => 3656, File::Varying => 3657, File::Attribute => 3658, File::Constant => 3659, File::Output if *stage == Stage::Fragment && *version > 1 => 3760, File::Output => 3660, File::Temporary => 3661, File::Depth => 3749, File::Instance => 3789 }, Error,
        match (profile, count) {
            (Some(profile), _) => format!("`{register}` is out of range: profile {profile} has {count} {} register{}", file.description(), if *count == 1 { "" } else { "s" }),
            (None, 0) => format!("`{register}` does not exist: a version {version} {stage} program has no {} register", file.description()),
            (None, 1) => format!("`{register}` is out of range: a version {version} {stage} program has one {} register", file.description()),
            _ => format!("`{register}` is out of range: a version {version} {stage} program has {count} {} registers", file.description()),
        }, help(match file {
            File::Instance if *count == 0 => "the instance id requires AGAL 3",
            File::Depth if *count == 0 => "fragment depth requires AGAL 2",
            _ if profile.is_some() => "use a lower number, or choose a higher profile",
            File::Sampler if *stage == Stage::Vertex => "vertex programs have four samplers, from AGAL 4 on",
            _ => "use a lower number, or a higher version with more such registers",
        });
    /// A register that the program cannot read: a sampler (3638), a varying (3644), an attribute (3645), an output (3646), the
    /// instance id (3788).
    NotReadable { register: String, file: File }, match file { File::Varying => 3644, File::Attribute => 3645, File::Sampler => 3638, File::Instance => 3788, _ => 3646 }, Error,
        format!("`{register}` cannot be read here: it is {}", match file {
            File::Varying => "a varying, which vertex programs only write",
            File::Attribute | File::Instance => "available only in vertex programs",
            File::Sampler => "a sampler, not a vector",
            _ => "an output, which can only be written",
        }), help(match file {
            File::Varying => "read the register whose value was written to the varying",
            File::Attribute | File::Instance => "pass it in a varying from the vertex program",
            File::Sampler => "sample it with `tex` into a temporary",
            _ => "compute in a temporary, read that, and move it to the output at the end",
        });
    /// A sampler in a vertex program of a version without vertex samplers.
    SamplerStage { register: String }, 3637, Error,
        format!("`{register}` does not exist: vertex programs have samplers only in AGAL 4 and later"), help("set the version to 4 and use `tld`");
    /// The fragment depth register in a vertex program.
    DepthStage, 3750, Error, "`od` exists only in fragment programs", help("write `op.z` in the vertex program instead");
    /// A register that cannot be written: a sampler (3649), a varying (3650), an attribute (3651), a constant (3652), the instance id (3786).
    NotWritable { register: String, file: File }, match file { File::Sampler => 3649, File::Varying => 3650, File::Attribute => 3651, File::Instance => 3786, _ => 3652 }, Error,
        format!("`{register}` cannot be written: it is {}", match file {
            File::Varying => "a varying, which fragment programs only read".to_string(),
            File::Attribute | File::Instance => format!("an input ({})", file.description()),
            _ => format!("a {}", file.description()),
        }), help("write a temporary instead");
    /// A mask that writes nothing.
    EmptyMask, 3653, Error, "the write mask is empty", help("set one of the bits 16 to 19 of the destination, or remove the instruction");
    /// A colour output written with a partial write mask.
    PartialColour { register: String }, 3701, Strict, format!("`{register}` is written in parts, but the player requires one write of all four components"), help("compute in a temporary, and write the colour with one `mov` that has no mask");
    /// A colour output that more than one token writes.
    ColourTwice { register: String, first: u32 }, 3744, Strict,
        format!("`{register}` is written a second time; token {first} has already written it"), help("compute in a temporary, and write the colour once");
    /// A write to the fourth component by an operation with a three-component result.
    WritesW { mnemonic: &'static str }, 3628, Strict, format!("`{mnemonic}` yields three components; `.w` is left unchanged"), help("write only .xyz, or fewer components");
    /// A fragment depth written with a mask other than x.
    DepthMask, 3756, Error, "fragment depth is one component; its mask must be .x", help("write `od.x`");
    /// A texture operation whose second operand is not a sampler.
    NotASampler, 3693, Error, "the second operand of a texture opcode must be a sampler", help("in text, write `fs0` in a fragment program or `vs0` in a vertex program; in bytecode, the register type of a sampler is 5");
    /// A scalar operand that names several components.
    NotScalar { mnemonic: &'static str, component: char }, 3703, Strict, format!("`{mnemonic}` takes one component; only `.{component}` is used"), help("write one component, such as `.x`");
    /// A swizzle on a matrix operand.
    MatrixSwizzle { mnemonic: &'static str }, 3689, Strict, "a matrix operand cannot be swizzled; the swizzle is applied to each row", help("swizzle the vector instead, or store the matrix in the order that is needed");
    /// An indirect read outside a vertex program.
    IndirectStage, 3639, Error, "only vertex programs can read through an index register", help("read the value in the vertex program and pass it in a varying, or select it with `sge` and `slt`");
    /// An indirect read of a register file other than constants.
    IndirectFile, 3640, Error, "only constants can be read through an index register", help("put the indexed values in constant registers");
    /// An indirect read in an operand that must be direct, such as a texture coordinate.
    IndirectOperand, 3641, Error, "a texture coordinate cannot be read through an index register", help("move the coordinate into a temporary first");
    /// An index register that is not an attribute, a constant or a temporary.
    IndexFile, 3642, Error, "the index register must be an attribute, a constant or a temporary", help("move the index into a temporary first");
    /// Index fields that are not zero on a direct operand.
    DirectWithIndex, 3643, Strict, "the operand is direct, but its index fields are not zero", help("set offset, index type and index component to zero, or set bit 63 for an indirect read");

    // Some sampler values are written only by the tools of later versions. In version 1, the player refuses these values; their
    // level is `Strict`.
    /// A sampler dimension that does not exist; a sampler dimension that the program's version lacks.
    Dimension { found: u8, version: u32 }, 3664, if *found == 2 { Strict } else { Error },
        unknown_value("dimension", *found, *found == 2, *version), help("0 is 2d, 1 is cube, 2 is 3d");
    /// A cube texture whose wrap mode is not `clamp`.
    CubeWrap, 3662, Strict, "a cube texture must be clamped", help("write `clamp`");
    /// A cube texture without mip levels (published applications use such textures, and players draw them).
    CubeMip, 3704, Warning, "a cube texture is sampled without mip levels, which Flash's list of errors forbids, although players accept it", help("to be safe, write `mipnearest` or `miplinear`");
    /// A filter that does not exist; a filter that the program's version lacks.
    Filter { found: u8, version: u32 }, 3665, if *found < 6 { Strict } else { Error },
        unknown_value("filter", *found, *found < 6, *version), help("0 is nearest, 1 linear, 2 to 5 anisotropic2x to anisotropic16x");
    /// A mip mode that does not exist.
    MipMode { found: u8 }, 3666, Error, format!("sampler mip mode {found} is not known"), help("0 is mipnone, 1 mipnearest, 2 miplinear");
    /// A wrap mode that does not exist; a wrap mode that the program's version lacks.
    WrapMode { found: u8, version: u32 }, 3667, if *found < 4 { Strict } else { Error },
        unknown_value("wrap mode", *found, *found < 4, *version), help("0 is clamp, 1 repeat, 2 clamp_u_repeat_v, 3 repeat_u_clamp_v");
    /// A texture format that does not exist.
    Format { found: u8 }, 9024, Error, format!("sampler format {found} is not known"), help("0 is rgba, 1 dxt1, 2 dxt5, 3 video");
    /// A sampler flag or format that Adobe's published bytecode format lacks, reported only with `--compat player`.
    UnpublishedSampler { bits: &'static str, found: u8 }, 9025, Published,
        format!("bits {bits} of the sampler are {found}, but Adobe's published bytecode format has 0 there"), help("later players read these bits; omit the option if the program must run on the first players");
    /// A sampler flag that does not exist.
    SpecialFlag { found: u8 }, 3668, Error, format!("sampler flag {found} is not known"), help("flags are 1 centroid, 2 single, 4 ignoresampler");
    /// An anisotropic filter on a sampler of a vertex program, in which no derivatives exist.
    VertexAnisotropic, 3804, Strict, "a vertex sampler cannot be anisotropic", help("write `linear` or `nearest`");
    /// A level-of-detail bias on a fetch with an explicit level.
    FetchBias, 3740, Strict, "the sampler of `ted` cannot have a level-of-detail bias", help("add the bias to the level operand");
    /// A fetch with an explicit level from a sampler without mip levels.
    FetchMip, 3743, Strict, "the sampler of `ted` must use mip levels", help("write `mipnearest` or `miplinear`, or use `tex`");
    /// A sampler used twice with different dimensions.
    DimensionDiffers { register: String, first: u32 }, 3696, Error, format!("`{register}` is used with a different dimension than at token {first}"), help("give both uses the same options, or use another sampler");
    /// A sampler used twice with different settings.
    SamplerDiffers { register: String, first: u32 }, 3696, Strict, format!("`{register}` is used with different settings than at token {first}; the filter, mip and wrap of that token apply"), help("give both uses the same options, or use another sampler");

    /// A read of a register that is not written on every path to the read.
    UnwrittenRegister { register: String, elsewhere: bool }, 3647, Tolerable,
        match elsewhere {
            true => format!("`{register}` is read, but is not written on every path that leads here"),
            false => format!("`{register}` is read, but nothing has written it"),
        }, Some(Help::new("write it on every path that leads here").and_with("; ", "{} reads it as zero", Remedy::Allow(3647)));
    /// An unwritten register in an unused operand.
    UnwrittenUnneeded { register: String }, 3647, Strict,
        format!("`{register}` is named, but nothing has written it"), help("write the register first: the operation does not need it, but the player requires a write of every register that an operand names");
    /// A read of components that are not written on every path to the read.
    UnwrittenComponents { register: String, components: String, elsewhere: bool }, 3648, Strict,
        match elsewhere {
            true => format!("`{register}.{components}` is read, but is not written on every path that leads here"),
            false => format!("`{register}.{components}` is read, but nothing has written it"),
        }, help("write it on every path that leads here; otherwise its value is zero");
    /// Unwritten components in a swizzle that the operation does not use.
    UnwrittenSwizzle { register: String, components: String }, 3648, Strict,
        format!("the swizzle reads `{register}.{components}`, but nothing has written it"), help("the operation does not need it, but the player checks all four letters; use a swizzle of written components only");
    /// A vertex position with a component that is never written.
    IncompletePosition { missing: String }, 3635, Tolerable,
        format!("the vertex program ends without writing `op.{missing}`"), Some(Help::new("write all four components").and_with("; ", "{} sets the missing components to zero", Remedy::Allow(3635)));
    /// A colour output with a component that is never written.
    IncompleteColour { register: String, missing: String }, 3634, Tolerable,
        format!("the fragment program ends without writing `{register}.{missing}`"), Some(Help::new("write all four components").and_with("; ", "{} sets the missing components to zero", Remedy::Allow(3634)));
    /// A varying with a component that is never written.
    IncompleteVarying { register: String, missing: String }, 3633, Tolerable,
        format!("the vertex program writes `{register}`, but not `{register}.{missing}`"), Some(Help::new("write all four components").and_with("; ", "{} sets the missing components to zero", Remedy::Allow(3633)));

    /// Colour outputs with a gap in their numbers.
    ColourGap { register: String, missing: String }, 3775, Strict,
        format!("the program writes `{register}` but not `{missing}`"), help("number the colours from 0 without gaps");

    /// An AGAL version that the profile does not support.
    ProfileVersion { version: u32, profile: &'static str, highest: u32 }, 3725, Error,
        format!("profile {profile} supports AGAL only up to version {highest}, but this is a version {version} program"), help("choose a higher profile, or write the program in a lower version");
    /// An estimated number of native instructions that exceeds the profile's limit: arithmetic (3716), textures (3717), dependent
    /// reads (3721).
    NativeLimit { what: self::NativeLimit, estimate: u32, limit: u32, profile: &'static str }, match what { self::NativeLimit::Arithmetic => 3716, self::NativeLimit::Textures => 3717, self::NativeLimit::DependentReads => 3721 }, Warning,
        format!("the program needs about {estimate} native {}, but profile {profile} allows {limit}", what.description()), help("the count is an estimate, because the player compiles the program for the device");

    /// A result that affects no output.
    UnusedResult { register: String }, 9001, Warning, format!("the value written to `{register}` here affects no output"), help("remove the instruction");
    /// A varying that the fragment program does not read.
    UnreadVarying { register: String }, 9002, Warning,
        format!("the fragment program does not read `{register}`"), Some(Help::new("remove it").and_with(", or ", "compile with {}", Remedy::PruneVaryings));
    /// A swizzle with one letter for each written component, instead of one for each position from x: `mov ft0.zw, v0.xy` reads y
    /// twice.
    RepeatedSwizzle { written: String, read: String, letters: String }, 9003, Warning,
        format!("`.{written}` receives `.{read}` here, not `.{letters}`: each component of a mask takes the letter at its own position, and the last letter repeats"), help("write one letter for each component from x to the mask's last component");
    /// A conditional whose outcome may depend on whether `ifg` includes equality.
    IfgEquality, 9004, Warning,
        "`ifg` may compare equal values here, and sources differ on whether the condition is then true", Some(Help::new("`ifg` is read as greater or equal").and_with("; ", "{} reads it as greater", Remedy::StrictIfg).and(", and ", "`ifl` with the operands exchanged is unambiguous"));
    /// Behaviour that no published source defines.
    Unsettled { what: &'static str, taken: &'static str, remedy: Option<Remedy> }, 9005, Warning,
        format!("{what} is not documented, and is {taken}"), remedy.clone().map(|remedy| Help::with("{} selects the other meaning", remedy));

    /// A matrix operation whose vector and matrix operands seem to be swapped.
    SwappedMatrix { mnemonic: &'static str, vector: String, first: String, last: String }, 9008, Warning,
        format!("`{mnemonic}` takes `{first}` to `{last}` as the rows of a matrix here, and the constant `{vector}` as the vector"),
        help(&format!("the vector comes first, then the first register of the matrix: `{mnemonic} destination, {first}, {vector}`"));

    /// An output that some paths do not write.
    OutputOnSomePaths { register: String, missing: String }, 9007, Warning,
        format!("some paths do not write `{register}.{missing}`, which is then zero"), help("write it before the conditional, or in both branches");

    /// The number of findings beyond the limit for one program.
    Further { dropped: Vec<Dropped> }, 9098, Warning,
        {
            let [errors, warnings] = [Severity::Error, Severity::Warning].map(|severity| count_of(dropped, severity));
            let are = if errors + warnings == 1 { "is" } else { "are" };
            match (errors, warnings) {
                (_, 0) => format!("{} {are} not listed", counted(errors, "further error")),
                (0, _) => format!("{} {are} not listed", counted(warnings, "further warning")),
                _ => {
                    let all = counted(errors + warnings, "further finding");
                    format!("{all} {are} not listed: {} and {}", counted(errors, "error"), counted(warnings, "warning"))
                }
            }
        }, None;
    /// A bug in the translator itself.
    Internal { error: String }, 9099, Error, format!("internal error: {error}"), help("this is a bug in the translator; please report it with the program");

    /// A pair that is not one vertex and one fragment program: two vertex programs (3630), two fragment programs (3631).
    PairStages { stage: Stage }, if *stage == Stage::Vertex { 3630 } else { 3631 }, Error,
        format!("both programs are {stage} programs"), help("a pair is one vertex and one fragment program");
    /// A pair of programs with different AGAL versions.
    PairVersions { vertex: u32, fragment: u32 }, 3757, Strict,
        format!("the vertex program is AGAL {vertex} and the fragment program AGAL {fragment}"), help("give both the higher version");
    /// A varying that the fragment program reads but the vertex program does not write.
    VaryingNotWritten { register: String }, 3632, Error,
        format!("the fragment program reads `{register}`, which the vertex program does not write"), help("write the varying in the vertex program, or read another one");

    /// Components of a varying that the fragment program reads but the vertex program does not write.
    VaryingPartNotWritten { register: String, components: String }, 3632, Strict,
        format!("the fragment program reads `{register}.{components}`, which the vertex program does not write"), help("write all four components in the vertex program");

    /// A line that does not begin with a mnemonic.
    UnknownMnemonic { found: String, nearest: Option<&'static str> }, 9101, Error,
        format!("`{found}` is not an AGAL mnemonic"),
        advice::foreign(found).and_then(help).or_else(|| nearest.and_then(|nearest| help(&format!("did you mean `{nearest}`?"))))
            .or_else(|| help("a line contains a mnemonic and its operands, a comment after `//`, or nothing"));
    /// More or fewer operands than the operation takes.
    OperandCount { mnemonic: &'static str, expected: usize, found: usize }, 9102, Error,
        format!("`{mnemonic}` takes {expected} operand{}, but has {found}", if *expected == 1 { "" } else { "s" }),
        help(&format!("write it like `{}`; a line holds one statement", usage(mnemonic)));
    /// An operand that is not a register name.
    UnknownRegister { found: String }, 9103, Error,
        format!("`{found}` is not a register"), help("registers are va, vc, vt, op, v, iid and vs in vertex programs, and v, fc, ft, oc, od and fs in fragment programs, with a number, as in `v0`");
    /// A number in the position of an operand.
    NumberOperand { found: String }, 9141, Error,
        format!("`{found}` is a number, but operands must be registers"), {
            let aliased = found.parse::<f64>().is_ok().then(|| format!("; in the macro language, lines after `alias fc0, CONST({found})` may contain the number"));
            help(&format!("upload it to a constant register and name that register, such as `fc0.x` (`vc0.x` in a vertex program){}", aliased.unwrap_or_default()))
        };
    /// Several statements on one line.
    SeveralStatements, 9143, Error, "a line holds one statement; `;` does not separate statements", Some(Help::new("put the text after the `;` on a separate line").and_with("; ", "the macro language ({}) accepts `;`", Remedy::MacroLanguage));
    /// A register number that does not fit in a token.
    RegisterNumber { found: String }, 9104, Error,
        format!("the register number in `{found}` does not fit in a token"), help("a token holds numbers up to 65535, and no version has so many registers");
    /// A register that exists only in the other stage.
    WrongStage { name: String, only: Stage }, 9105, Error,
        format!("`{name}` exists only in {only} programs"), Some(Help::new("use the register of this stage").and_with(", or ", "select the other stage with {}", Remedy::Stage));
    /// Source text that does not state its stage and contains register names of both stages.
    StageConflict { name: String, only: Stage, because: String }, 9106, Error,
        format!("`{name}` exists only in {only} programs, but `{because}` before it belongs to the other stage"), Some(Help::new("a text contains one program").and_with("; ", "pass {} to see which names are wrong", Remedy::Stage));
    /// Source text that neither states nor implies its stage.
    StageUnknown, 9107, Error,
        "cannot tell whether this is a vertex or a fragment program", Some(Help::with("pass {}", Remedy::Stage).and(", or ", "begin the text with `// agal 1 vertex` or `// agal 1 fragment`"));
    /// A level-of-detail bias that does not fit in the sampler word's field.
    BiasRange { found: String, read: String }, 9109, Warning,
        format!("the level-of-detail bias {found} does not fit and is stored as {read}"), help("a bias is -16 to 15.875");
    /// A `#` that is intended to begin a comment.
    CommentSign, 9145, Error, "`#` does not begin a comment", help("a comment begins with `//`");
    /// A level-of-detail bias that is not a multiple of one eighth.
    BiasEighths { found: String, read: String }, 9144, Warning,
        format!("the level-of-detail bias {found} is stored as {read}: the field holds eighths"), help("write a multiple of 0.125");
    /// An index offset that does not fit in a source word's field.
    OffsetRange { found: String }, 9110, Error,
        format!("the offset of `{found}` is out of range"), help("an offset is 0 to 255");
    /// A bracket that is not closed on its line.
    Unterminated { open: char }, 9111, Error,
        format!("`{open}` is not closed"), help(&format!("add `{}` on the same line", if *open == '<' { '>' } else { ']' }));
    /// Brackets that do not contain an index.
    IndexSyntax { found: String }, 9112, Error,
        format!("`{found}` is not an index"), help("write it like `vc[va0.x+7]`: only vc can be indexed, by a register component plus an offset");
    /// An indexed destination.
    IndexedDestination, 9113, Error,
        "a destination cannot be indexed", help("only sources can be read through an index register");
    /// A `.token` line without its four words.
    TokenLine, 9114, Error,
        "`.token` takes four hexadecimal words of 8, 8, 16 and 16 digits, each after 0x", help("for example `.token 0x00000000 0x030f0000 0x00000000e4000000 0x0000000000000000`");
    /// A `.trailing` line without valid bytes, or a line that follows a `.trailing` line.
    TrailingLine, 9134, Error,
        "`.trailing` takes 1 to 23 bytes as pairs of hexadecimal digits after a single 0x, and must be the last line", help("for example `.trailing 0x00ff`; it holds the bytes after the last token of a damaged file");
    /// A header comment that the caller overrides.
    HeaderDiffers { given: String }, 9115, Warning,
        format!("the header comment contradicts the options; the text is assembled as {given}, as requested"), help("change the comment or the option");
    /// Upper case where Adobe's assembler accepts only lower case.
    UpperCase { found: String }, 9116, Warning,
        format!("`{found}` is upper case and is read as lower case, the only case that Adobe's assembler accepts"), help(&format!("write `{}`", found.to_ascii_lowercase()));
    /// Colour letters used as components.
    ColourLetters { found: String, read: String }, 9117, Warning,
        format!("`{found}` is read as `{read}`; Adobe's assembler ignores it and uses all components"), help(&format!("write `{read}`"));
    /// A `;` at the end of a line.
    Semicolon, 9118, Warning, "AGAL has no `;` at the end of a line", help("remove it");
    /// Two operands without a comma between them.
    MissingComma, 9119, Warning, "there is no comma before this operand", help("put a comma between operands; older assemblers drop such a line");
    /// A comma that separates nothing.
    ExtraComma, 9120, Warning, "this comma separates nothing", help("remove it");
    /// An operand that follows the mnemonic without a space.
    MissingSpace { mnemonic: &'static str }, 9121, Warning,
        format!("there is no space after `{mnemonic}`"), help("a mnemonic has three letters; put a space after it");
    /// Text that is not part of an operand.
    Skipped { text: String, read: Option<String>, written: bool }, 9122, Warning,
        match read {
            Some(read) => format!("`{text}` means nothing here; `{read}` is {} without it", if *written { "written" } else { "read" }),
            None => format!("`{text}` means nothing here and is skipped"),
        },
        help(advice::skipped(text));
    /// A register's number in brackets: `vt[4]` means `vt0`, not `vt4`.
    BracketNumber { read: String, instead: String, written: bool }, 9142, Warning,
        format!("`{read}` is {} here: a number in brackets has no meaning", if *written { "written" } else { "read" }), help(&format!("write `{instead}`; Adobe's assembler skips the brackets too"));
    /// A write mask with its letters out of order or repeated.
    MaskLetters { found: String, read: String }, 9123, Warning,
        format!("the write mask `{found}` writes `{read}`; {} nothing", advice::mask(found)), help(&format!("write `{read}`"));
    /// An index register that exists only in the other stage.
    IndexStage { name: String, only: Stage }, 9135, Warning,
        format!("`{name}` exists only in {only} programs; Adobe's assembler accepts it anyway"), help("use the register of this stage");
    /// Spaces inside the brackets of an index.
    IndexSpaces, 9124, Warning, "Adobe's assembler does not accept spaces in an index", help("write it without spaces, like `vc[va0.x+7]`");
    /// An index register without a component.
    IndexComponent, 9125, Warning, "the index register has no component, so `.x` is used", help("write the component; Adobe's assembler stops without one");
    /// An index register without a number, before an offset.
    IndexNumber { number: u16, instead: String }, 9126, Warning,
        format!("the index register has no number, so Adobe's assembler uses the offset as its number: {number}"), help(&format!("write the number: `{instead}`"));
    /// A negative offset in an index.
    NegativeOffset { found: i32, byte: u8 }, 9127, Warning,
        format!("the offset {found} is stored as {byte}, and players add it as {byte}"), help("add the offset to the index register instead");
    /// A register of another file in place of a sampler.
    SamplerName { found: String, number: u16 }, 9128, Warning,
        format!("`{found}` is not a sampler and is read as sampler {number}"), help(&format!("write `fs{number}` in a fragment program, `vs{number}` in a vertex program"));
    /// A texture instruction without options that follows a texture instruction with options.
    OptionsMissing, 9129, Warning,
        "this sampler has no options and gets the defaults; Adobe's assembler reuses the options of the previous texture instruction", help("write the options, for example `<2d,nearest,mipnone,clamp>`");
    /// An unclosed `<` after the last operand.
    OptionsOpen, 9136, Warning,
        "`<` is not closed, and Adobe's assembler ignores the text after it", help("add `>` on the same line");
    /// Sampler options after an operation that has no sampler.
    OptionsUnused { mnemonic: &'static str }, 9130, Warning,
        format!("`{mnemonic}` has no sampler, so the options mean nothing"), help("remove them");
    /// An unknown option word, which is read as a level-of-detail bias of 0.
    OptionIgnored { found: String, nearest: Option<&'static str> }, 9131, Warning,
        format!("`{found}` is not a sampler option and is read as a bias of 0; options that are not given default to 2d, nearest, nomip, clamp"),
        help(&nearest.map_or_else(|| "remove it; options are words like 2d, cube, linear, miplinear, repeat, clamp, or a bias like -1.5".into(), |nearest| format!("did you mean `{nearest}`?")));
    /// A sampler option after the closing bracket.
    OptionOutside { found: String }, 9132, Warning,
        format!("`{found}` is after `>`, but applies anyway"), help("put it between the brackets, or remove it");
    /// Two sampler options that contradict each other.
    OptionOverridden { found: String, former: String }, 9133, Warning,
        format!("`{found}` replaces `{former}`"), help("keep one of the two");
    /// Source text with parts (`part` to `endpart`), one of which is assembled without the lines outside the part.
    Part { name: String }, 9137, Warning,
        format!("the part `{name}` is assembled, without the lines outside it; Adobe's assembler has no parts"), help("put each program in a file of its own");
    /// Source text with parts, of which none or more than one is for the requested stage.
    PartChoice { names: Vec<String>, asked: Option<Stage>, several: bool, stages: bool }, 9138, Error,
        match (asked, several) {
            (Some(asked), false) => format!("no part is a {asked} program; the parts are {}", names.join(", ")),
            (Some(asked), true) => format!("several parts are {asked} programs: {}", names.join(", ")),
            (None, _) => format!("the text has several parts, but only one can be assembled at a time: {}", names.join(", ")),
        },
        if asked.is_none() && *stages { Some(Help::with("choose one with {}", Remedy::Stage)) } else { help("put each program in a file of its own, or state the stage of each part") };
    /// A part without `endpart`.
    PartOpen { name: String }, 9140, Warning,
        format!("the part `{name}` has no `endpart`"), help("add `endpart` after its last line; without it, the part ends where the next part begins, or at the end of the text");
    /// In source text with parts, a line outside all of them.
    OutsideParts, 9139, Error, "this line is outside every part", help("put it between `part` and `endpart`");

    /// A comment that is not closed.
    UnclosedComment, 9201, Error, "this comment is never closed", help("add `*/` where the comment ends");
    /// A directive that does not exist.
    UnknownDirective { found: String, nearest: Option<&'static str> }, 9202, Error,
        format!("`{found}` is not a directive"),
        match found.as_str() {
            "#ifdef" | "#ifndef" => help("an undefined name is 0: write `#if NAME` or `#if !NAME`"),
            _ => nearest.map_or_else(
                || help("a comment begins with `//`; directives are #define, #undef, #if, #elif, #else and #endif"),
                |nearest| help(&format!("did you mean `{nearest}`? A comment begins with `//`")),
            ),
        };
    /// A directive with the wrong syntax.
    DirectiveSyntax { directive: String, wants: &'static str }, 9203, Error,
        format!("`{directive}` takes {wants}"), help("write `#define NAME`, `#define NAME 2`, `#define NAME = A + 1`, `#undef NAME`, `#if A > 1 && !B`, `#else`, `#endif`");
    /// A condition or value that is not an expression.
    ConditionSyntax { found: Option<String>, what: &'static str }, 9204, Error,
        match found { Some(found) => format!("`{found}` is unexpected here in the {what}"), None => format!("the {what} is incomplete") },
        help(if *what == "value" { "the value of a name is one number or one expression: `#define NAME 2`, `#define NAME = A + 1`" } else { "a condition consists of numbers, names, brackets and ! * / + - < > <= >= == != && ||" });
    /// The word `defined` in a condition, which the macro language does not support.
    NoDefined, 9249, Error, "conditions do not support `defined`", help("an undefined name is 0: write `#if NAME` or `#if !NAME`");
    /// An unclosed bracket in a condition or an expression.
    UnclosedBracket, 9246, Error, "this `(` is never closed", help("add `)` on the same line");
    /// Brackets or `!` nested too deeply in a condition.
    ConditionDepth { limit: usize }, 9205, Error, format!("the condition is nested more than {limit} levels deep"), None;
    /// A division by zero in a condition.
    DivisionByZero, 9206, Error, "this expression divides by zero", None;
    /// An `#if` without a matching `#endif`.
    UnclosedDirective { directive: String }, 9207, Error,
        format!("this `{directive}` is never closed"), help("add `#endif`; a macro's body must contain the `#endif` of every `#if` in it");
    /// `#elif`, `#else` or `#endif` without a matching `#if`.
    DirectiveWithoutIf { directive: String }, 9208, Error,
        format!("`{directive}` has no matching `#if`"),
        help(match directive.as_str() {
            "#endif" => "remove it, or add the `#if` that it closes",
            "#else" => "use it once, between `#if` and `#endif`",
            _ => "it belongs between `#if` and `#endif`, before `#else`",
        });
    /// A macro with the wrong syntax.
    MacroSyntax { wants: &'static str }, 9209, Error,
        format!("the macro's {wants} is missing here"), help("write it like `macro Name(a, b) { out = a * b; }`");
    /// A macro that is not closed.
    UnclosedMacro { name: String }, 9210, Error,
        format!("the macro `{name}` is never closed"), help("add `}` after its body; macros cannot be nested");
    /// Two macros with the same name and number of parameters.
    MacroRedefined { name: String, parameters: usize }, 9211, Error,
        format!("there is already a macro `{name}` with {parameters} parameter{}", if *parameters == 1 { "" } else { "s" }), help("rename or remove one of them; macros with the same name must differ in their number of parameters");
    /// A macro with too many parameters.
    TooManyParameters { limit: usize }, 9247, Error, format!("a macro has at most {limit} parameters"), help("split it into several macros");
    /// A parameter name that is already in use.
    ParameterName { name: String }, 9212, Error,
        if name == "out" { "`out` is the name of the result and cannot name a parameter".to_string() } else { format!("there is already a parameter `{name}`") }, None;
    /// A call of a macro that does not exist.
    UnknownMacro { found: String, nearest: Option<String> }, 9213, Error,
        format!("there is no macro and no opcode `{found}`"), help(&advice::function(found, nearest.as_deref()));
    /// A call with more or fewer arguments than the macro has parameters.
    ArgumentCount { name: String, takes: String, found: usize }, 9214, Error,
        format!("`{name}` takes {takes} argument{}, but this call has {found}", if takes == "1" { "" } else { "s" }), None;
    /// A macro argument that is not an operand.
    ArgumentSyntax { found: String }, 9215, Error,
        if found.is_empty() { "an argument is missing here".to_string() } else { format!("`{found}` is not an operand") },
        help("an operand is a register, an alias, a parameter or a number; compute anything else on a line of its own");
    /// A macro call without a closing bracket.
    UnclosedCall, 9216, Error, "this call is not closed", help("add `)` on the same line");
    /// A macro that calls itself.
    MacroCycle { cycle: String }, 9217, Error,
        format!("a macro cannot call itself: {cycle}"), help("a call is replaced by the macro's body, which would never end");
    /// Macro calls nested too deeply.
    CallDepth { limit: usize }, 9218, Error, format!("calls are nested more than {limit} levels deep"), None;
    /// Macro calls that expand to too many statements or bytes.
    ExpansionLimit { limit: usize, what: &'static str }, 9219, Error,
        format!("the macros expand to more than {limit} {what}; this call exceeds the limit"), help("no program needs so many: look for a macro whose calls multiply");
    /// A macro call inside an expression.
    CallAlone { name: String }, 9220, Error,
        format!("the call of `{name}` must be the entire right side of the assignment"), help(&format!("put it on a line of its own: `register = {name}(...)`"));
    /// Sampler options on a call of anything other than a texture opcode.
    CallOptions { name: String }, 9221, Error,
        format!("`{name}` takes no options"), help("`<...>` belongs after a texture opcode; a macro can take the options as parameters");
    /// A macro call whose result is used, although the macro has none.
    NoResult { name: String }, 9222, Error, format!("`{name}` has no result"), help(&format!("write `{name}(...)` on its own; a macro's result is what its body writes to `out`"));
    /// A macro call whose result is not used.
    ResultUnused { name: String }, 9223, Error, format!("the result of `{name}` is not used"), help(&format!("write `register = {name}(...)`"));
    /// An alias with the wrong syntax.
    AliasSyntax { wants: &'static str }, 9224, Error,
        format!("malformed alias: expected {wants}"), help("write it like `alias va0, position` or `alias vc4, CONST(0.5, 1)`: the register comes first");
    /// An alias with the name before the register.
    AliasSwapped { name: String, register: String }, 9248, Error,
        format!("`{name}` is not a register, but `{register}` is"), help(&format!("the register comes first: `alias {register}, {name}`"));
    /// A name that is not declared.
    UnknownName { found: String, nearest: Option<String> }, 9225, Error,
        format!("`{found}` is neither a register nor an alias"),
        nearest.as_ref().map_or_else(|| help(&format!("declare it before this line: `alias register, {found}`")), |nearest| help(&format!("did you mean `{nearest}`?")));
    /// A constant with the wrong syntax.
    ConstantValues { wants: &'static str }, 9226, Error,
        format!("malformed constant: expected {wants}"), help("write it like `alias vc4, CONST(0.5, 1, -2)`, with at most four numbers");
    /// More numbers in a constant declaration than the constant has components.
    TooManyValues { target: String, most: usize, found: usize }, 9227, Error,
        format!("`{target}` holds {most} number{}, but {found} are given", if *most == 1 { "" } else { "s" }), None;
    /// Numbers declared for a register that is not a constant.
    NotAConstant { found: String }, 9228, Error,
        format!("`{found}` is not a constant register, so it cannot be declared to hold numbers"), help("constants are vc0, vc1 ... in vertex programs and fc0, fc1 ... in fragment programs");
    /// Two numbers declared for the same component of a constant.
    ConstantConflict { component: String, value: String, other: String }, 9229, Error,
        format!("`{component}` cannot hold {value}: it was declared to hold {other}"), help("components that are not listed are declared to hold 0; name only the components to set: `alias vc4.xy, CONST(0.5, 1)`");
    /// A number that is not the value of any declared constant.
    UndeclaredConstant { found: String }, 9230, Error,
        format!("no constant register is declared to hold {found}"), help(&format!("declare one before this line, `alias vc0, CONST({found})` in a vertex program or `alias fc0, CONST({found})` in a fragment program, and upload it"));
    /// An expression with incorrect syntax.
    ExpressionSyntax { found: Option<String> }, 9231, Error,
        match found { Some(found) => format!("`{found}` is unexpected here in the expression"), None => "the expression is incomplete".to_string() },
        help("expressions are like `a = b`, `a = -b`, `a = b + c`, `a = b * c + d`, `a += b`, `a = Name(b, c)`");
    /// An expression with too many operators.
    ExpressionDepth { limit: usize }, 9232, Error,
        format!("an expression has at most {limit} operators; this is one too many"), help("compute a part of it into another register first: there are no hidden temporaries");
    /// An expression that overwrites a register before reading it.
    ExpressionOverlap { register: String }, 9233, Error,
        format!("`{register}` is overwritten by the first operation before the second one reads it"), help("compute into another register, as there are no hidden temporaries; Adobe's assembler computes a different value here");
    /// Text that is not part of any statement.
    StrayText { found: String }, 9234, Error, format!("`{found}` means nothing here"),
        if found.chars().any(|c| c.is_alphanumeric() || "{}()".contains(c)) { None } else { help("remove it; names have letters, digits and `_`") };
    /// An undefined name in a condition.
    UndefinedName { name: String, nearest: Option<String> }, 9235, Warning,
        format!("`{name}` is not defined and is 0; Adobe's assembler stops here"),
        Some(match nearest { Some(nearest) => Help::new(format!("did you mean `{nearest}`?")), None => Help::new(format!("write `#define {name} 0` before it")).and_with(", or ", "pass {}", Remedy::Define(name.clone())) });
    /// A name that is defined without a value.
    DefineWithoutValue { name: String }, 9236, Warning,
        format!("`{name}` is defined without a value and is 1; Adobe's assembler stops here"), help(&format!("write `#define {name} 1`"));
    /// A definition in the source text that differs from the caller's.
    DefineOverrides { name: String, value: String, former: String }, 9237, Warning,
        format!("`{name}` is {value} from here on, although {former} was requested"), help("the text takes precedence; remove the line to use the requested value");
    /// A branch that agalc skips, but that Adobe's assembler takes in addition to an earlier branch.
    BranchDiffers { directive: String }, 9238, Warning,
        format!("this `{directive}` is skipped, because an earlier branch was taken; Adobe's assembler takes both"), help("to be safe, write conditions that exclude each other");
    /// `||` and `&&` mixed without brackets.
    AndOrMixed, 9239, Warning, "`&&` binds tighter than `||` here; Adobe's assembler evaluates from left to right", help("add brackets");
    /// An alias that is redefined as another register.
    AliasRedefined { name: String, former: String, target: String }, 9240, Warning,
        format!("`{name}` was `{former}` and is `{target}` from here on"), help("choose another name");
    /// An alias with the name of a register.
    AliasShadows { name: String, target: String }, 9241, Warning,
        format!("`{name}` is the name of a register, but means `{target}` from here on"), help("choose another name");
    /// A swizzle of an operand that is already swizzled.
    SwizzleTwice { found: String, read: String, theirs: String }, 9242, Warning,
        format!("`{found}` is read as `{read}`; Adobe's assembler uses `{theirs}`"), help("name only the register in the alias or argument");
    /// A macro argument that is read after its register has received a part of the result.
    ArgumentOverwritten { parameter: String, argument: String }, 9244, Warning,
        format!("`{parameter}` is `{argument}` in this call, but the macro has already overwritten `{argument}`"), help(&format!("assign the call to another register, or read `{parameter}` in the macro before the macro writes `out`"));
    /// A macro that reads a result assigned to components such as `vt0.yz`, although the same letters select other components
    /// when read.
    ResultReadBack { read: String }, 9245, Warning,
        format!("`out` is `{read}` in this call, and reading it back selects other components"), help("assign the call to letters that start at x, such as `.xy`, or to a whole register");
    /// A destination with component letters that is also a source, where the letters select different components, as in
    /// `a.zw += b`.
    SwizzleReadBack { read: String, theirs: String }, 9243, Warning,
        format!("each component is computed from itself; Adobe's assembler reads `{theirs}` instead of `{read}`, which moves the components"), help("to choose one meaning, write the statement with its opcode");

    /// A variable on which AGAL text depends, and whose value the pasted code does not define.
    PastedName { name: String }, 9301, Error,
        format!("`{name}` is a variable of ActionScript or Haxe, and the pasted code does not contain its value"), help("replace it with its text, or give the whole source or SWF to `agalc extract FILE -o shaders`, which runs such code");
    /// A call in pasted code whose result determines AGAL text.
    PastedCall { name: String }, 9302, Error,
        format!("`{name}` is a function of ActionScript or Haxe, but pasted code is not run"), help("replace the call with its result, or give the whole source or SWF to `agalc extract FILE -o shaders`, which runs such code");
    /// A condition or loop in pasted code that contains AGAL text.
    PastedControl { found: String }, 9303, Error,
        format!("`{found}` has an effect only if the code runs, but pasted code is not run"), help("leave only the strings of one shader, or give the whole source or SWF to `agalc extract FILE -o shaders`, which runs such code and writes its variants");
    /// Pasted code that contains AGAL text but cannot be parsed.
    PastedSyntax { found: String }, 9304, Error,
        format!("`{found}` is not expected here in code with AGAL strings"), help("such code has string literals with `+` or commas between them, in assignments, arrays or calls");
    /// A literal in pasted code that is not closed.
    PastedQuote, 9305, Error, "this quote is never closed", help("paste the whole literal, with the quote at its end");
    /// Pasted code with several AGAL programs that do not form one pair.
    PastedTexts { count: usize, is_pair: bool }, 9306, Error,
        format!("this is one of {count} AGAL programs, and only one can be read here"),
        if *is_pair { Some(Help::with("choose one with {}", Remedy::Stage)) } else { help("paste one program, or one vertex and one fragment program") };
    /// Pasted code that generates more text than can be kept.
    PastedSize { limit: usize }, 9307, Error,
        format!("this code makes more than {limit} MiB of text"), help("paste the strings of one shader");
    /// An invalid escape in a string literal.
    PastedEscape { found: String }, 9308, Error,
        format!("`{found}` is not a valid escape"), help("write two hexadecimal digits after `\\x`, and four after `\\u`");
    /// A number outside 0 to 255 in a list of bytes.
    PastedByte { found: String }, 9309, Error,
        format!("`{found}` is not a byte, although the list begins like AGAL bytecode"), help("bytes are 0 to 255, or 0x00 to 0xff");
    /// Words in pasted code that are neither code nor a comment.
    PastedLeftOut { found: String }, 9310, Warning,
        format!("`{found}` is neither code nor a comment, and is left out"), help("remove it, or begin the line with `//`");

    /// A procedure's parameter, to which only the linker assigns a register.
    ProcedureParameter { name: String }, 9351, Error,
        format!("`{name}` is a parameter of the procedure, to which only the linker assigns a register"), help("write the register that is passed for it, or take the linked program's bytes from `Program3D.upload`");
    /// A procedure's output that the procedure's stage does not have.
    ProcedureOutput { name: String }, 9352, Error,
        format!("`{name}` is a result of the procedure, to which only the linker assigns a register"), help("a vertex program's own output is `o0`, and a fragment program's are `o0` to `o3`");
    /// An expression in a procedure that needs a register besides its destination.
    ProcedureExpression { register: String }, 9353, Error,
        format!("`{register}` holds a part of this expression that would be overwritten here"), help("compute a part of the expression into another register first: there are no hidden temporaries");
}
