#version 450
// Push constants, a block of floats, a block of several types, and a storage buffer that is only read.
layout(push_constant) uniform Pushed { mat4 clip; vec2 scale; } pushed;
layout(binding = 0) uniform Floats { vec4 tint; float weights[4]; vec3 ambient; } floats;
layout(binding = 1) uniform Mixed { int count; uvec2 range; float factor; bool on; } mixed;
layout(std430, binding = 2) readonly buffer Places { vec4 places[]; };
layout(location = 0) out vec4 colour;
void main() {
    gl_Position = pushed.clip * places[gl_InstanceIndex] * vec4(pushed.scale, 1.0, 1.0);
    float sum = 0.0;
    for (int i = 0; i < mixed.count; i++) sum += floats.weights[i];
    colour = mixed.on ? floats.tint * sum : vec4(floats.ambient, mixed.factor + float(mixed.range.y));
}
