c
out vec4 colour;
in vec3 direction;
void main() { colour = vec4(direction, 1.0); }
