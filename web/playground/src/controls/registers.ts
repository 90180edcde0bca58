// The constant registers that a pair reads, with their names and their values in the scene.

import type { Reflection, Stage } from "agalc";
import type { Draw } from "agalc/executor";

export interface Component {
  /** The letter `x`, `y`, `z` or `w`, and the place of the component. */
  letter: string;
  index: number;
  /** The component's own name, if it has one. */
  name: string | null;
}

export interface Register {
  stage: Stage;
  /** The register file, `fc`. With the number appended, it is the register's name in the scene's file. */
  file: string;
  register: number;
  name: string | null;
  components: Component[];
  values: [number, number, number, number];
}

const LETTERS = "xyzw";

interface Member {
  name: string;
  register: number;
  component: number;
  type: string;
}

interface Constants {
  file: string | null;
  name: string;
  registers: { register: number; components: string }[];
  matrices: { first: number; columns: number }[];
  members: Member[];
}

function namesOf(members: readonly Member[], register: number): { whole: string | null; parts: Map<number, string> } {
  const own = members.filter((member) => member.register === register);
  const whole = own.length === 1 && own[0]?.component === 0 ? own[0].name : null;
  return { whole, parts: new Map(own.map(({ component, name }) => [component, name])) };
}

/** The registers that are read one by one; matrices and arrays are only set by the scene. */
export function registers(reflection: Reflection, draw: Draw): Register[] {
  return reflection.stages.flatMap(({ stage, constants }) =>
    (constants as Constants[]).flatMap(({ file, name: uniform, registers, matrices, members }) => {
      if (file === null) return [];
      const words = draw.uniforms.find((one) => one.stage === stage && (one.name === file || one.name === uniform))?.words;
      const floats = words ? new Float32Array(words.buffer, words.byteOffset, words.length) : new Float32Array();
      const isMatrix = (register: number) => matrices.some(({ first, columns }) => register >= first && register < first + columns);
      return registers.filter(({ register }) => !isMatrix(register)).map(({ register, components }): Register => {
        const { whole, parts } = namesOf(members, register);
        return {
          stage, file, register, name: whole,
          components: [...components].map((letter) => {
            const index = LETTERS.indexOf(letter);
            return { letter, index, name: whole === null ? parts.get(index) ?? null : null };
          }),
          values: [0, 1, 2, 3].map((index) => floats[4 * register + index] ?? 0) as Register["values"],
        };
      });
    }));
}
