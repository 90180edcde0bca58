// The state of the page, and the listeners for its changes.

import { SCENE, type SourceFile, type State, textOf, withFile, withNames } from "./state.ts";
import { type Description, Descriptions } from "./scene/description.ts";

type Listener = (state: State, before: State) => void;

export class Store {
  private readonly listeners: Listener[] = [];
  private readonly descriptions = new Descriptions();

  constructor(private state: State) {}

  get now(): State {
    return this.state;
  }

  /** The content of scene.toml. */
  get scene(): Description {
    return this.descriptions.of(this.state.files);
  }

  set(changed: Partial<State>): void {
    const before = this.state;
    this.state = { ...before, ...changed };
    for (const listener of this.listeners) listener(this.state, before);
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Replaces a file, or adds it. */
  write(file: SourceFile): void {
    this.set({ files: withFile(this.state.files, file) });
  }

  /** Changes the text of scene.toml. */
  editScene(edit: (text: string) => string): void {
    this.write({ name: SCENE, data: edit(textOf(this.state.files, SCENE)) });
  }

  /** Starts with other files: the first program is shown, and no constant is set by hand. */
  open(files: readonly SourceFile[]): void {
    this.set({ files: withNames(files), constants: [], file: files[0]?.name ?? SCENE });
  }
}
