//! The examples and exit codes in the help of each command. A test runs every example (`cli/tests/it/help.rs`).

/// The meanings of the exit codes.
pub(super) const EXIT_CODES: &str = "Exit codes:
  0  success; there may be warnings
  1  an input is wrong or cannot be read, an output cannot be written, or pictures differ
  2  the command line is wrong";

/// The examples of each command; those of agalc itself are under the empty name.
pub(super) const ALL: &[(&str, &[(&str, &str)])] = &[
    (
        "",
        &[
            ("Translate a pair to WGSL", "agalc compile lit.vert.agal lit.frag.agal -o lit.wgsl"),
            ("Check it as Flash Player would", "agalc validate lit.vert.agal lit.frag.agal"),
            ("Explain an error", "agalc explain AGAL3647"),
        ],
    ),
    (
        "compile",
        &[
            (
                "Translate a pair to several languages",
                "agalc compile lit.vert.agal lit.frag.agal -o lit.spv -o lit.wgsl",
            ),
            (
                "Write GLSL for WebGL 2: out/lit.vert.glsl and out/lit.frag.glsl",
                "agalc compile lit.vert.agal lit.frag.agal --layout webgl2 -o out/lit.glsl",
            ),
            (
                "Write the shader to standard output, and its reflection to a file",
                "agalc compile lit.vert.agal lit.frag.agal --to msl --reflect lit.json",
            ),
            (
                "Read a program from standard input",
                "agalc compile - --stdin-name lit.frag.agal --to hlsl < lit.frag.agal",
            ),
            (
                "Translate every shader that a pattern matches, into a folder",
                "agalc compile '*.frag.agal' -o out --to wgsl,spirv",
            ),
            (
                "Report errors as SARIF beside the text",
                "agalc compile lit.frag.agal -o lit.frag.spv --diagnostics lit.sarif",
            ),
        ],
    ),
    (
        "assemble",
        &[
            ("Assemble a program", "agalc assemble lit.frag.agal -o lit.frag.agalbc"),
            ("Expand macros into plain statements", "agalc assemble macros.agal --expand"),
        ],
    ),
    (
        "disassemble",
        &[
            ("Show bytecode as text", "agalc disassemble lit.frag.agalbc"),
            ("Show what each token is and which registers are live", "agalc disassemble lit.frag.agalbc --annotate"),
        ],
    ),
    (
        "fmt",
        &[
            ("Format a pair in place", "agalc fmt lit.vert.agal lit.frag.agal"),
            ("Write the formatted text to standard output", "agalc fmt - < lit.frag.agal"),
        ],
    ),
    (
        "optimise",
        &[
            ("Make a program shorter", "agalc optimise lit.frag.agal -o out/lit.frag.agal"),
            (
                "Make both programs of a pair shorter, as bytecode",
                "agalc optimise lit.vert.agal lit.frag.agal -o lit.vert.agalbc -o lit.frag.agalbc",
            ),
        ],
    ),
    ("print", &[("Show the module of a pair", "agalc print lit.vert.agal lit.frag.agal")]),
    (
        "dump",
        &[
            ("Show each word of a file", "agalc dump lit.sdlbc"),
            ("Draw the control flow, for `dot -Tsvg`", "agalc dump lit.frag.agal --graph -o lit.dot"),
        ],
    ),
    (
        "validate",
        &[
            ("Check a pair", "agalc validate lit.vert.agal lit.frag.agal"),
            (
                "Check it for a profile, as strictly as Flash Player",
                "agalc validate lit.vert.agal lit.frag.agal --compat player --profile baseline",
            ),
            ("Write the findings as SARIF", "agalc validate lit.vert.agal lit.frag.agal --format sarif"),
        ],
    ),
    ("link", &[("List the varyings of a pair", "agalc link lit.vert.agal lit.frag.agal")]),
    (
        "verify",
        &[
            ("Check that a pair can be translated", "agalc verify lit.vert.agal lit.frag.agal"),
            ("Check a module", "agalc verify lit.sdlbc"),
        ],
    ),
    (
        "inspect",
        &[
            ("List what a pair reads and writes", "agalc inspect lit.vert.agal lit.frag.agal"),
            ("The same for scripts", "agalc inspect lit.vert.agal lit.frag.agal --json"),
        ],
    ),
    ("check-draw", &[("Check a draw", "agalc check-draw lit.vert.agal lit.frag.agal --state draw.toml")]),
    (
        "run",
        &[
            ("Run a program with some inputs", "agalc run tint.frag.agal --set v0=0.5,0.25 --set fc0=1,0.5,0.5,1"),
            (
                "Show what each token computes",
                "agalc run tint.frag.agal --set v0=0.5,0.25 --set fc0=1,0.5,0.5,1 --trace",
            ),
        ],
    ),
    (
        "render",
        &[
            ("Draw a scene", "agalc render scene.toml -o scene.png --size 64x64"),
            (
                "Draw a pair on a sphere",
                "agalc render plain.vert.agal plain.frag.agal --mesh sphere -o plain.png --size 64 -W allow",
            ),
        ],
    ),
    (
        "compare",
        &[
            ("Compare two pictures", "agalc compare a.png b.png"),
            ("Show where they differ", "agalc compare a.png b.png --allow 1 -o difference.png"),
        ],
    ),
    (
        "strip",
        &[(
            "Remove names and lines from a module",
            "agalc strip lit.sdlbc -o small.sdlbc --debug-table lit.debug.sdlbc",
        )],
    ),
    (
        "extract",
        &[
            ("Find the shaders of a Flash file", "agalc extract game.swf -o shaders"),
            ("Fill an open hole", "agalc extract game.swf -o shaders --fill smoothing=linear"),
            ("Add the programs that a hook logged", "agalc extract game.swf --from-trace trace.log -o shaders"),
        ],
    ),
    (
        "explain",
        &[
            ("Explain an error or warning", "agalc explain AGAL3647"),
            ("Explain a rule of SDLSHADERBC", "agalc explain V12"),
            ("List all numbers", "agalc explain"),
        ],
    ),
    ("lsp", &[("Serve an editor, which starts it", "agalc lsp < /dev/null")]),
    (
        "completions",
        &[
            ("For bash", "agalc completions bash -o completions/agalc"),
            ("For zsh, in a folder of $fpath", "agalc completions zsh -o completions/_agalc"),
        ],
    ),
    ("man", &[("Write all pages", "agalc man -o man/man1"), ("Show one page", "agalc man compile")]),
];

/// The examples of a command.
pub(super) fn of(command: &str) -> String {
    let examples = ALL.iter().find(|(name, _)| *name == command).map_or(&[][..], |(_, examples)| examples);
    let lines = examples.iter().map(|(about, line)| format!("\n  {about}:\n    {line}"));
    format!("Examples:{}", lines.collect::<String>())
}
