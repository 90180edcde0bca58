#version 450
// gl_PerVertex is declared again; only what is written becomes an output.
layout(location = 0) in vec4 position;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; };
void main() {
    gl_Position = position;
    gl_ClipDistance[0] = position.x;
    gl_ClipDistance[1] = 1.0 - position.y;
}
