import type { Ref } from "react";

/** An option of a select; `lang` is the language of its label. */
export type SelectOption<Value extends string = string> = { value: Value; label: string; lang?: string };

/** Props of `Select`. It needs a label: one that refers to its `id`, or `aria-label`. */
export type SelectProps<Value extends string = string> = {
  options: readonly SelectOption<Value>[];
  value: Value;
  onChange(value: Value): void;
  onBlur?(): void;
  id?: string;
  /** The name of the value in the data of a form. */
  name?: string;
  disabled?: boolean;
  /** A field takes the whole width, a button is as wide as its text, a chip is a small button. */
  look?: "field" | "button" | "chip";
  className?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
  "aria-label"?: string | undefined;
  "aria-invalid"?: boolean;
  "aria-describedby"?: string;
};
