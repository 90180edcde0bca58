#version 450
// A vertex shader that writes no position, as before a tessellation or geometry stage.
layout(location = 0) in vec3 place;
layout(location = 0) out vec3 passed;
void main() { passed = place * 2.0; }
