#version 450
// Attributes and varyings that share a location by the layout qualifier `component`.
layout(location = 0) in vec2 corner;
layout(location = 0, component = 2) in vec2 uv;
layout(location = 1, component = 1) in float angle;
layout(location = 0) out vec3 normal;
layout(location = 0, component = 3) out float fog;
layout(location = 1, component = 1) out float rows[2];
layout(location = 1, component = 2) out vec2 columns[2];
layout(location = 3, component = 1) flat out int kind;
void main() {
    gl_Position = vec4(corner * cos(angle), 0.0, 1.0);
    normal = vec3(uv, 1.0);
    fog = angle;
    for (int i = 0; i < 2; i++) rows[i] = corner[i];
    columns[0] = uv;
    columns[1] = uv.yx;
    kind = gl_VertexIndex;
}
