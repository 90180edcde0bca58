// The findings, one row each: documentation, name and data, Flash's number, severity, message, help. Included by
// finding.rs, so that the table stands alone. Numbers and conditions: Flash Player's published error list.

kinds! {
    // The container.
    /// The first byte is not AGAL's.
    Magic { found: u8 }, Some(3616), Error,
        format!("not AGAL bytecode: the first byte is {found:02X}, not A0"),
        if *found == 0xb0 { help("B0 marks raw GLSL in other players' files; there is no AGAL in it") } else { None };
    /// Too short to hold the header and one token.
    Truncated { bytes: usize }, Some(3615), Error,
        format!("the program has {bytes} bytes; header and one token take 31"), help("the file is cut off, or is not AGAL bytecode");
    /// The version's bytes are in the wrong order.
    BigEndian, Some(3612), Error,
        "the version is written with its high byte first", help("set `ByteArray.endian` to little endian before writing the program");
    /// A version that does not exist.
    Version { found: u32 }, Some(3617), Error,
        format!("AGAL version {found} is not known"), help("versions are 1 to 4, as a 32-bit little-endian word at byte 1");
    /// The byte before the stage is wrong.
    StageMarker { found: u8 }, Some(3618), Error,
        format!("the byte before the stage is {found:02X}, not A1"), None;
    /// The stage is neither vertex nor fragment.
    StageNumber { found: u8 }, Some(3619), Error,
        format!("stage {found} is not known"), help("0 is a vertex program, 1 a fragment program");
    /// Bytes behind the last whole token.
    TrailingBytes { bytes: usize }, None, Warning,
        format!("{bytes} bytes behind the last token do not fill one and are ignored"), help("the file may be cut off");
    /// More tokens than the version allows.
    TooManyTokens { tokens: usize, limit: usize }, Some(3629), Warning,
        format!("{tokens} tokens, and the player takes {limit} in this version"), None;

    // Operations.
    /// A number past the table.
    OpcodeRange { found: u32 }, Some(3620), Error,
        format!("opcode {found} (0x{found:X}) is past the last one, 0x2E"), None;
    /// A number without an operation.
    OpcodeReserved { found: u32 }, Some(3621), Error,
        format!("opcode 0x{found:02X} has no operation"), None;
    /// An operation of a later version.
    OpcodeVersion { mnemonic: &'static str, since: u32, version: u32 }, Some(if *mnemonic == "tld" { 3805 } else if *mnemonic == "sgn" { 3621 } else { 3726 }), Error,
        format!("`{mnemonic}` needs AGAL {since}, and this is a version {version} program"), help("set the program's version, or do without the opcode");
    /// An operation of the other stage.
    OpcodeStage { mnemonic: &'static str, only: Stage }, Some(if *only == Stage::Vertex { 3803 } else { 3622 }), Error,
        format!("`{mnemonic}` belongs in {only} programs only"), None;
    /// In the numbering, but nothing says what it does.
    Undocumented { mnemonic: &'static str, reason: &'static str }, None, Error,
        format!("`{mnemonic}` cannot be translated: {reason}"), None;

    // Structure.
    /// `eif` without `if`.
    EifWithoutIf, Some(3623), Error, "`eif` closes no conditional", None;
    /// `els` without `if`, or twice.
    ElsMisplaced, Some(3752), Error, "`els` stands outside a conditional or behind another `els`", None;
    /// A conditional that is not closed.
    UnclosedIf { mnemonic: &'static str, token: u32 }, Some(3739), Error,
        format!("the `{mnemonic}` at token {token} is never closed"), help("add `eif` where the conditional ends");
    /// Deeper than this tool can follow.
    NestingLimit { limit: usize }, None, Error, format!("conditionals are nested deeper than {limit}"), None;
    /// Deeper than the player takes.
    Nesting { depth: usize }, Some(3624), Warning,
        format!("conditionals are nested {depth} deep here, and players take 4"), None;
    /// An output written in a conditional.
    OutputInConditional { register: String }, Some(3751), Warning, format!("`{register}` is written inside a conditional, which the player refuses"), None;
    /// A derivative in a conditional.
    DerivativeInConditional { mnemonic: &'static str }, Some(3742), Error,
        format!("`{mnemonic}` stands inside a conditional, where its neighbours may not run"), help("take the derivative before the conditional");
    /// A texture in a conditional with a coordinate that is computed there.
    ComputedCoordinate, Some(3741), Error,
        "`tex` inside a conditional reads a coordinate that is computed there, so its mip level is undefined",
        help("compute the coordinate before the conditional, or use a sampler without mip levels");

    // Operands.
    /// A slot that the operation does not use.
    UnusedSlot { mnemonic: &'static str }, Some(3636), Warning, format!("`{mnemonic}` does not use this operand, and it is not zero"), None;
    /// A destination where none belongs.
    UnusedDestination { mnemonic: &'static str }, Some(3627), Warning, format!("`{mnemonic}` has no destination, and the field is not zero"), None;
    /// Bits that the format reserves.
    ReservedBits { bits: u64 }, Some(3654), Warning, format!("reserved bits are set (0x{bits:X})"), None;
    /// A register type without a file.
    RegisterType { found: u8 }, Some(3655), Error, format!("register type {found} does not exist"), help("types are 0 attribute, 1 constant, 2 temporary, 3 output, 4 varying, 5 sampler, 6 depth, 7 instance id");
    /// A register that the program's version and stage do not have.
    RegisterRange { register: String, file: File, stage: Stage, version: u32, count: u32 }, Some(if *file == File::Output && *version > 1 { 3760 } else { file.range_code() }), Error,
        match count {
            0 => format!("`{register}`: a version {version} {stage} program has no {} register", file.description()),
            1 => format!("`{register}` is out of range: a version {version} {stage} program has one {} register", file.description()),
            _ => format!("`{register}` is out of range: a version {version} {stage} program has {count} {} registers", file.description()),
        }, None;
    /// A register that cannot be read here.
    NotReadable { register: String, file: File }, Some(match file { File::Varying => 3644, File::Attribute => 3645, File::Sampler => 3638, File::Instance => 3788, _ => 3646 }), Error,
        format!("`{register}` cannot be read here: it is {}", match file {
            File::Varying => "a varying, which a vertex program writes",
            File::Attribute | File::Instance => "for vertex programs alone",
            File::Sampler => "a sampler and no vector",
            _ => "an output, which is only written",
        }), None;
    /// A register that cannot be written.
    NotWritable { register: String, file: File }, Some(match file { File::Sampler => 3649, File::Varying => 3650, File::Attribute => 3651, File::Instance => 3786, File::Depth => 3750, _ => 3652 }), Error,
        format!("`{register}` cannot be written: it is {}", match file {
            File::Varying => "a varying, which a fragment program reads".to_string(),
            File::Depth => "for fragment programs alone".to_string(),
            File::Attribute | File::Instance => format!("an input ({})", file.description()),
            _ => format!("a {}", file.description()),
        }), None;
    /// A mask that writes nothing.
    EmptyMask, Some(3653), Error, "the write mask is empty", None;
    /// A fragment colour that is written in parts.
    PartialColour { register: String }, Some(3701), Warning, format!("`{register}` is written in parts, and the player wants all four components at once"), None;
    /// The fourth component of an operation that yields three.
    WritesW { mnemonic: &'static str }, Some(3628), Warning, format!("`{mnemonic}` yields three components; `.w` is left as it was"), help("mask the destination to .xyz or less");
    /// Depth with a mask other than x.
    DepthMask, Some(3756), Error, "fragment depth is one component; its mask must be .x", None;
    /// A sampler operand that is no sampler.
    NotASampler, Some(3693), Error, "the second operand of a texture opcode must be a sampler", None;
    /// A condition that reads several components.
    NotScalar { mnemonic: &'static str, component: char }, Some(3703), Warning, format!("`{mnemonic}` takes one component; `.{component}` is used"), None;
    /// A swizzle on a matrix.
    MatrixSwizzle, Some(3689), Warning, "a matrix operand cannot be swizzled; the swizzle is applied to each row", None;
    /// An indirect read outside vertex programs.
    IndirectStage, Some(3639), Error, "only vertex programs can read through an index register", None;
    /// An indirect read of a file other than constants.
    IndirectFile, Some(3640), Error, "only constants can be read through an index register", None;
    /// An indirect read where the operation forbids it.
    IndirectOperand, Some(3641), Error, "a texture coordinate cannot be read through an index register", None;
    /// An index register of the wrong file.
    IndexFile, Some(3642), Error, "the index register must be an attribute, a constant or a temporary", None;
    /// Index fields on a direct operand.
    DirectWithIndex, Some(3643), Warning, "the operand is direct, and its index fields are not zero", None;

    // Samplers.
    /// A dimension that does not exist.
    Dimension { found: u8 }, Some(3664), Error, format!("sampler dimension {found} is not known"), help("0 is 2d, 1 cube, 2 3d");
    /// A filter that does not exist.
    Filter { found: u8 }, Some(3665), Error, format!("sampler filter {found} is not known"), None;
    /// A mip mode that does not exist.
    MipMode { found: u8 }, Some(3666), Error, format!("sampler mip mode {found} is not known"), None;
    /// A wrap mode that does not exist.
    WrapMode { found: u8 }, Some(3667), Error, format!("sampler wrap mode {found} is not known"), None;
    /// A texture format that does not exist.
    Format { found: u8 }, None, Error, format!("sampler format {found} is not known"), help("0 is rgba, 1 dxt1, 2 dxt5, 3 video");
    /// A flag that does not exist.
    SpecialFlag { found: u8 }, Some(3668), Error, format!("sampler flag {found} is not known"), help("flags are 1 centroid, 2 single, 4 ignoresampler");
    /// A sampler used twice with different dimensions.
    DimensionDiffers { register: String, first: u32 }, Some(3696), Error, format!("`{register}` is used with another dimension than at token {first}"), None;
    /// A sampler used twice with different settings.
    SamplerDiffers { register: String, first: u32 }, Some(3696), Warning, format!("`{register}` is used with other settings than at token {first}, whose settings hold"), None;

    // Data flow.
    /// A register that nothing wrote on some path.
    UnwrittenRegister { register: String }, Some(3647), Error,
        format!("`{register}` is read, and nothing wrote it before"), help("write it on every path that leads here, or let it read zero with `--allow 3647`");
    /// Components that nothing wrote on some path.
    UnwrittenComponents { register: String, components: String }, Some(3648), Error,
        format!("`{register}.{components}` is read, and nothing wrote that part before"), help("write it on every path that leads here, or let it read zero with `--allow 3648`");
    /// The position is not wholly written.
    IncompletePosition { missing: String }, Some(3635), Error,
        format!("the vertex program ends without writing `op.{missing}`"), help("write all four components, or let them be zero with `--allow 3635`");
    /// A colour is not wholly written.
    IncompleteColour { register: String, missing: String }, Some(3634), Error,
        format!("the fragment program ends without writing `{register}.{missing}`"), help("write all four components, or let them be zero with `--allow 3634`");
    /// A varying is written in part.
    IncompleteVarying { register: String, missing: String }, Some(3633), Error,
        format!("the vertex program writes `{register}`, but not `{register}.{missing}`"), help("write all four components, or let the rest be zero with `--allow 3633`");

    // This tool.
    /// A fault of the translator itself.
    Internal { error: String }, None, Error, format!("internal error: {error}"), help("this is a fault of the translator; please report it with the program");

    // Pairs.
    /// Not one vertex and one fragment program.
    PairStages { stage: Stage }, Some(if *stage == Stage::Fragment { 3630 } else { 3631 }), Error,
        format!("both programs are {stage} programs"), help("a pair is one vertex and one fragment program");
    /// Programs of two versions.
    PairVersions { vertex: u32, fragment: u32 }, Some(3757), Warning,
        format!("the vertex program is AGAL {vertex} and the fragment program AGAL {fragment}"), None;
    /// A varying that the vertex program does not write.
    VaryingNotWritten { register: String }, Some(3632), Error,
        format!("the fragment program reads `{register}`, which the vertex program does not write"), None;

    // Text.
    /// A line that begins with no mnemonic.
    UnknownMnemonic { found: String, nearest: Option<&'static str> }, None, Error,
        format!("`{found}` is no mnemonic of AGAL"),
        nearest.map_or_else(|| help("a line is a mnemonic and its operands, a comment behind `//`, or empty"), |nearest| Some(format!("did you mean `{nearest}`?")));
    /// More or fewer operands than the operation has.
    OperandCount { mnemonic: &'static str, expected: usize, found: usize }, None, Error,
        format!("`{mnemonic}` takes {expected} operand{}, found {found}", if *expected == 1 { "" } else { "s" }),
        help("a line holds one statement: destination first, then sources");
    /// A word in an operand's place that names no register.
    UnknownRegister { found: String }, None, Error,
        format!("`{found}` is no register"), help("registers are va vc vt op v iid vs in vertex programs and v fc ft oc od fs in fragment programs, with a number");
    /// A register number that the token has no room for.
    RegisterNumber { found: String }, None, Error,
        format!("the number of `{found}` does not fit a token"), help("a token holds numbers up to 65535, and no version has so many registers");
    /// A register of the other stage.
    WrongStage { name: String, only: Stage }, None, Error,
        format!("`{name}` is a register of {only} programs only"), help("use the register of this stage, or assemble with the other `--stage`");
    /// Names of both stages where neither was stated.
    StageConflict { name: String, only: Stage, because: String }, None, Error,
        format!("`{name}` belongs in {only} programs only, and `{because}` before it does not"), help("a text is one program; give its `--stage` to see which names are wrong");
    /// No stage was stated, and none follows from the text.
    StageUnknown, None, Error,
        "nothing tells whether this is a vertex or a fragment program", help("give `--stage`, or begin the text with `// agal 1 vertex` or `// agal 1 fragment`");
    /// A sampler option that does not exist.
    UnknownOption { found: String, nearest: Option<&'static str> }, None, Error,
        format!("`{found}` is no sampler option"),
        nearest.map_or_else(|| help("options are words like 2d, cube, linear, miplinear, repeat, clamp, or a level-of-detail bias like -1.5"), |nearest| Some(format!("did you mean `{nearest}`?")));
    /// A bias that the field has no room for.
    BiasRange { found: String }, None, Error,
        format!("the level-of-detail bias {found} is out of range"), help("a bias is -16 to 15.875");
    /// An index offset that the field has no room for.
    OffsetRange { found: String }, None, Error,
        format!("the offset of `{found}` is out of range"), help("an offset is 0 to 255");
    /// A bracket that is not closed on its line.
    Unterminated { open: char }, None, Error,
        format!("`{open}` is not closed"), Some(format!("add `{}` on the same line", if *open == '<' { '>' } else { ']' }));
    /// Brackets that hold no index.
    IndexSyntax { found: String }, None, Error,
        format!("`{found}` is no index"), help("write it like `vc[va0.x+7]`: only vc can be indexed, by one component of a register and an offset");
    /// An indexed destination.
    IndexedDestination, None, Error,
        "a destination cannot be indexed", help("only sources can be read through an index register");
    /// A `.token` line without its four words.
    TokenLine, None, Error,
        "`.token` takes four hexadecimal words of 8, 8, 16 and 16 digits, each behind 0x", help("for example `.token 0x00000000 0x030f0000 0x00000000e4000000 0x0000000000000000`");
    /// A header comment that the caller overrules.
    HeaderDiffers { given: String }, None, Warning,
        format!("the header comment says otherwise, and the text is assembled as {given}, as it was asked for"), help("change the comment or the option");
    /// Upper case where Adobe's assembler knows lower case only.
    UpperCase { found: String }, None, Warning,
        format!("`{found}` is upper case and is read as lower case; Adobe's assembler does not know it"), Some(format!("write `{}`", found.to_ascii_lowercase()));
    /// Colour letters for components.
    ColourLetters { found: String, read: String }, None, Warning,
        format!("`{found}` is read as `{read}`; Adobe's assembler passes over it and takes all components"), Some(format!("write `{read}`"));
    /// `;` at the end of a line.
    Semicolon, None, Warning, "AGAL has no `;` at the end of a line", help("remove it");
    /// Two operands without a comma between.
    MissingComma, None, Warning, "there is no comma before this operand", help("put a comma between operands; older assemblers drop such a line");
    /// A comma that parts nothing.
    ExtraComma, None, Warning, "this comma parts no operands", help("remove it");
    /// An operand that follows the mnemonic's third letter.
    MissingSpace { mnemonic: &'static str }, None, Warning,
        format!("there is no space behind `{mnemonic}`"), help("a mnemonic has three letters; put a space behind it");
    /// Text that is no part of an operand.
    Skipped { text: String, read: Option<String> }, None, Warning,
        match read { Some(read) => format!("`{text}` means nothing here; `{read}` is read without it"), None => format!("`{text}` means nothing here and is skipped") },
        help("Adobe's assembler skips it too; remove it, or write what was meant");
    /// A write mask with its letters out of order or repeated.
    MaskLetters { found: String, read: String }, None, Warning,
        format!("the write mask `{found}` is the set `{read}`; its order means nothing"), Some(format!("write `{read}`"));
    /// Spaces between the brackets.
    IndexSpaces, None, Warning, "Adobe's assembler takes no spaces in an index", help("write it without, like `vc[va0.x+7]`");
    /// An index register without component.
    IndexComponent, None, Warning, "the index register has no component, and `.x` is taken", help("write the component; Adobe's assembler stops without one");
    /// An index register without number, before an offset.
    IndexNumber { number: u16 }, None, Warning,
        format!("the index register has no number, and Adobe's assembler takes the offset's: {number}"), help("write the number, like `vc[va0.x+7]`");
    /// An offset below zero.
    NegativeOffset { found: i32, byte: u8 }, None, Warning,
        format!("the offset {found} is stored as {byte}, and players add it as {byte}"), help("add the offset to the index register instead");
    /// A sampler operand that is named as another register.
    SamplerName { found: String, number: u16 }, None, Warning,
        format!("`{found}` is no sampler and is read as sampler {number}"), Some(format!("write `fs{number}` in a fragment program, `vs{number}` in a vertex program"));
    /// A texture opcode without options behind one with options.
    OptionsMissing, None, Warning,
        "this sampler has no options and gets the defaults; Adobe's assembler repeats the last ones", help("write the options, for example `<2d,nearest,mipnone,clamp>`");
    /// Options behind an operation without sampler.
    OptionsUnused { mnemonic: &'static str }, None, Warning,
        format!("`{mnemonic}` has no sampler, and the options mean nothing"), help("remove them");
    /// A word that is no option, in a place where it always went unnoticed.
    OptionIgnored { found: String, nearest: Option<&'static str> }, None, Warning,
        format!("`{found}` is no sampler option and is read as a bias of 0; what is not stated is 2d, nearest, nomip, clamp"), nearest.map(|nearest| format!("the option nearest to it is `{nearest}`"));
    /// An option behind the closing bracket.
    OptionOutside { found: String }, None, Warning,
        format!("`{found}` stands behind `>` and counts all the same"), help("put it between the brackets, or remove it");
    /// Two options that contradict each other.
    OptionOverridden { found: String, former: String }, None, Warning,
        format!("`{found}` replaces `{former}`"), help("keep one of the two");

    // Macro language.
    /// A comment without end.
    UnclosedComment, Some(9201), Error, "this comment is never closed", help("add `*/` where it ends");
    /// A directive that does not exist.
    UnknownDirective { found: String, nearest: Option<&'static str> }, Some(9202), Error,
        format!("`{found}` is no directive"),
        match found.as_str() {
            "#ifdef" | "#ifndef" => help("a name that nothing defined is 0; write `#if NAME` or `#if !NAME`"),
            _ => nearest.map_or_else(|| help("directives are #define, #undef, #if, #elif, #else and #endif"), |nearest| Some(format!("did you mean `{nearest}`?"))),
        };
    /// A directive that is not written as it must be.
    DirectiveSyntax { directive: String, wants: &'static str }, Some(9203), Error,
        format!("`{directive}` takes {wants}"), help("write `#define NAME`, `#define NAME 2`, `#define NAME = A + 1`, `#undef NAME`, `#if A > 1 && !B`, `#else`, `#endif`");
    /// A condition that is no expression.
    ConditionSyntax { found: Option<String> }, Some(9204), Error,
        match found { Some(found) => format!("`{found}` has no place here in the condition"), None => "something is missing at the end of the condition".to_string() },
        help("a condition has numbers, names, brackets and ! * / + - < > <= >= == != && ||");
    /// Brackets or `!` too deep.
    ConditionDepth { limit: usize }, Some(9205), Error, format!("the condition is nested deeper than {limit}"), None;
    /// A division by zero in a condition.
    DivisionByZero, Some(9206), Error, "this divides by zero", None;
    /// An `#if` that is not closed.
    UnclosedDirective { directive: String }, Some(9207), Error,
        format!("this `{directive}` is never closed"), help("add `#endif` where it ends; a macro's body must close what it opens");
    /// `#elif`, `#else` or `#endif` that belongs to no `#if`.
    DirectiveWithoutIf { directive: String }, Some(9208), Error,
        format!("`{directive}` belongs to no `#if`"), if directive == "#endif" { None } else { help("it stands between `#if` and `#endif`, in front of `#else`") };
    /// A macro that is not written as it must be.
    MacroSyntax { wants: &'static str }, Some(9209), Error,
        format!("a macro's {wants} is missing here"), help("write it like `macro Name(a, b) { out = a * b; }`");
    /// A macro without end.
    UnclosedMacro { name: String }, Some(9210), Error,
        format!("the macro `{name}` is never closed"), help("add `}` behind its body; a macro holds no other macro");
    /// Two macros with one name and as many parameters.
    MacroRedefined { name: String, parameters: usize }, Some(9211), Error,
        format!("there is a macro `{name}` with {parameters} parameter{} already", if *parameters == 1 { "" } else { "s" }), help("rename or remove one of them; macros of one name must differ in their number of parameters");
    /// A parameter that cannot be told from another name.
    ParameterName { name: String }, Some(9212), Error,
        if name == "out" { "`out` is the result's name and no parameter's".to_string() } else { format!("there is a parameter `{name}` already") }, None;
    /// A call of something that does not exist.
    UnknownMacro { found: String, nearest: Option<String> }, Some(9213), Error,
        format!("there is no macro and no opcode `{found}`"), nearest.as_ref().map(|nearest| format!("did you mean `{nearest}`?"));
    /// A call with more or fewer arguments than there are parameters.
    ArgumentCount { name: String, takes: String, found: usize }, Some(9214), Error,
        format!("`{name}` takes {takes} argument{}, found {found}", if takes == "1" { "" } else { "s" }), None;
    /// Something that is no operand, where one belongs.
    ArgumentSyntax { found: String }, Some(9215), Error,
        if found.is_empty() { "an argument is missing here".to_string() } else { format!("`{found}` is no operand") },
        help("an operand is a register, an alias, a parameter or a number; give what is computed a line of its own");
    /// A call without end.
    UnclosedCall, Some(9216), Error, "this call is not closed", help("add `)` on the same line");
    /// A macro that needs itself.
    MacroCycle { cycle: String }, Some(9217), Error,
        format!("a macro cannot call itself: {cycle}"), help("a call is replaced by the macro's body, which would never end");
    /// Calls too deep.
    CallDepth { limit: usize }, Some(9218), Error, format!("calls are nested deeper than {limit}"), None;
    /// Calls that expand to too much.
    ExpansionLimit { limit: usize, what: &'static str }, Some(9219), Error,
        format!("the macros expand to more than {limit} {what}; this call is the one too many"), help("no program may have so many: look for a macro that calls others more often than it seems");
    /// A call in an expression.
    CallAlone { name: String }, Some(9220), Error,
        format!("the call of `{name}` is not all of the right side"), Some(format!("give it a line of its own: `register = {name}(...)`"));
    /// Options where no sampler is.
    CallOptions { name: String }, Some(9221), Error,
        format!("`{name}` takes no options"), help("`<...>` belongs behind a texture opcode; a macro may have the options as parameters");
    /// A value taken from what gives none.
    NoResult { name: String }, Some(9222), Error, format!("`{name}` has no result"), Some(format!("write `{name}(...)` alone"));
    /// A call whose value goes nowhere.
    ResultUnused { name: String }, Some(9223), Error, format!("the result of `{name}` goes nowhere"), Some(format!("write `register = {name}(...)`"));
    /// An alias that is not written as it must be.
    AliasSyntax { wants: &'static str }, Some(9224), Error,
        format!("an alias takes {wants}"), help("write it like `alias va0, position` or `alias vc4, CONST(0.5, 1)`: the register first");
    /// A name that stands for nothing.
    UnknownName { found: String, nearest: Option<String> }, Some(9225), Error,
        format!("`{found}` is no register and no alias"),
        nearest.as_ref().map_or_else(|| Some(format!("declare it in front of this line: `alias register, {found}`")), |nearest| Some(format!("did you mean `{nearest}`?")));
    /// A constant whose numbers are not written as they must be.
    ConstantValues { wants: &'static str }, Some(9226), Error,
        format!("a constant takes {wants} here"), help("write it like `alias vc4, CONST(0.5, 1, -2)`: up to four numbers");
    /// More numbers than components.
    TooManyValues { target: String, most: usize, found: usize }, Some(9227), Error,
        format!("`{target}` holds {most} number{}, found {found}", if *most == 1 { "" } else { "s" }), None;
    /// Numbers for a register that is no constant.
    NotAConstant { found: String }, Some(9228), Error,
        format!("`{found}` is no constant register, so it cannot be declared to hold numbers"), help("constants are vc0, vc1 ... in vertex programs and fc0, fc1 ... in fragment programs");
    /// Two numbers for one component.
    ConstantConflict { component: String, value: String, other: String }, Some(9229), Error,
        format!("`{component}` cannot hold {value}: it was declared to hold {other}"), help("components that are not listed are declared to hold 0; name those that are meant: `alias vc4.xy, CONST(0.5, 1)`");
    /// A number that no register holds.
    UndeclaredConstant { found: String }, Some(9230), Error,
        format!("no constant register is declared to hold {found}"), Some(format!("declare one in front of this line, `alias vc0, CONST({found})` in a vertex program or `alias fc0, CONST({found})` in a fragment program, and upload it"));
    /// Something that is no expression.
    ExpressionSyntax { found: Option<String> }, Some(9231), Error,
        match found { Some(found) => format!("`{found}` has no place here in the expression"), None => "something is missing at the end of the expression".to_string() },
        help("expressions are like `a = b`, `a = -b`, `a = b + c`, `a = b * c + d`, `a += b`, `a = Name(b, c)`");
    /// An expression with too many operators.
    ExpressionDepth { limit: usize }, Some(9232), Error,
        format!("an expression has {limit} operators at most; this is one too many"), help("compute a part of it into another register first: there are no hidden temporaries");
    /// An expression that overwrites what it has yet to read.
    ExpressionOverlap { register: String }, Some(9233), Error,
        format!("`{register}` is overwritten by the first operation before the second one reads it"), help("compute into another register: there are no hidden temporaries. Adobe's assembler computes something else here");
    /// Text that belongs to nothing.
    StrayText { found: String }, Some(9234), Error, format!("`{found}` means nothing here"), None;
    /// A name in a condition that nothing defined.
    UndefinedName { name: String, nearest: Option<String> }, Some(9235), Warning,
        format!("`{name}` is not defined and is 0; Adobe's assembler stops here"),
        nearest.as_ref().map_or_else(|| Some(format!("write `#define {name} 0` in front, or say it with `--define {name}=0`")), |nearest| Some(format!("did you mean `{nearest}`?")));
    /// A name that is defined without a value.
    DefineWithoutValue { name: String }, Some(9236), Warning,
        format!("`{name}` is defined without a value and is 1; Adobe's assembler stops here"), Some(format!("write `#define {name} 1`"));
    /// A definition in the text that differs from the caller's.
    DefineOverrides { name: String, value: String, former: String }, Some(9237), Warning,
        format!("`{name}` is {value} from here on, though {former} was asked for"), help("the text wins; remove the line to let the caller choose");
    /// A branch that Adobe's assembler takes besides another.
    BranchDiffers { directive: String }, Some(9238), Warning,
        format!("this `{directive}` is passed over, as a branch before it was taken; Adobe's assembler takes both"), help("write conditions that exclude each other to be safe");
    /// `&&` behind `||`.
    AndOrMixed, Some(9239), Warning, "`&&` binds more than `||` here; Adobe's assembler reads from left to right", help("add brackets");
    /// A name that stands for another register than before.
    AliasRedefined { name: String, former: String, target: String }, Some(9240), Warning,
        format!("`{name}` was `{former}` and is `{target}` from here on"), help("take another name");
    /// An alias that hides a register.
    AliasShadows { name: String, target: String }, Some(9241), Warning,
        format!("`{name}` is a register's name, and means `{target}` from here on"), help("take another name");
    /// Components of components.
    SwizzleTwice { found: String, read: String, theirs: String }, Some(9242), Warning,
        format!("`{found}` is read as `{read}`; Adobe's assembler takes `{theirs}`"), help("let the alias or argument name the register alone");
    /// A destination that is read, whose letters would give components to others.
    SwizzleReadBack { read: String, theirs: String }, Some(9243), Warning,
        format!("each component is computed from itself; Adobe's assembler reads `{theirs}`, whose letters are not in their places, for `{read}`"), help("write the statement with its opcode to choose");
}
