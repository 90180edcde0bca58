#version 450
// Outputs in a block, an array, a matrix and a structure, each part at a location of its own.
struct Light { vec3 direction; float power; };
layout(location = 0) in mat4 model;
layout(location = 4) in vec3 position;
layout(location = 0) out Block { vec3 normal; flat int kind; } block;
layout(location = 2) out vec2 uvs[2];
layout(location = 4) out mat2 turn;
layout(location = 6) out Light light;
void main() {
    gl_Position = model * vec4(position, 1.0);
    block.normal = mat3(model) * position;
    block.kind = gl_VertexIndex;
    uvs[0] = position.xy;
    uvs[1] = position.yz;
    turn = mat2(position.x, position.y, -position.y, position.x);
    light = Light(position.zyx, 2.0);
}
