// Globals that the compiler's types do not include.

/** The version of agalc, which the build inserts. */
declare const VERSION: string;

declare const GPUBufferUsage: Readonly<Record<"MAP_READ" | "COPY_DST" | "INDEX" | "VERTEX" | "UNIFORM", GPUBufferUsageFlags>>;
declare const GPUColorWrite: Readonly<Record<"ALL", GPUColorWriteFlags>>;
declare const GPUMapMode: Readonly<Record<"READ", GPUMapModeFlags>>;
declare const GPUShaderStage: Readonly<Record<"VERTEX" | "FRAGMENT", GPUShaderStageFlags>>;
declare const GPUTextureUsage: Readonly<Record<"COPY_SRC" | "COPY_DST" | "TEXTURE_BINDING" | "RENDER_ATTACHMENT", GPUTextureUsageFlags>>;
