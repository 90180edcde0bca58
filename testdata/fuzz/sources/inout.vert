v
#version 450
layout(location = 0) in vec3 p;
void g(inout vec3 q) { if (q.x < 0.0) return; q += 1.0; }
void main() { vec3 q = p; g(q); gl_Position = vec4(q, 1.0); }
