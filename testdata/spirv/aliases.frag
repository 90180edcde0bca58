#version 450
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 colour;

void add(inout float x, inout float y) {
    x += 1.0;
    y += 10.0;
}

void main() {
    float all[4];
    all[0] = v.x;
    all[1] = v.y;
    add(all[0], all[1]);
    int i = int(v.z);
    add(all[i & 3], all[2]);
    colour = vec4(all[0], all[1], all[2], all[3]);
}
