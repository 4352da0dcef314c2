import { type ChangeEvent, useRef } from "react";
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type Resolver,
  type UseFormRegisterReturn,
  type UseFormReturn,
  useForm,
} from "react-hook-form";

/** The form of `useValidatedForm`: react-hook-form's, with its own `register`. */
export type ValidatedForm<V extends FieldValues> = Omit<UseFormReturn<V, unknown, V>, "register"> & {
  register(name: Path<V>, options?: RegisterOptions): UseFormRegisterReturn;
};
type RegisterOptions = {
  /**
   * Whether the page itself focuses this field: the user did not choose it, so leaving it unchanged is not reported as
   * a mistake.
   */
  autoFocus?: boolean | undefined;
};
type Options<V extends FieldValues> = { resolver: Resolver<V, unknown, V>; initial: DefaultValues<V> };

/**
 * `useForm` that validates a field on blur (one that the page has focused only once something was entered), and checkboxes and radio buttons also on change; never while typing.
 * React's `onChange` is the browser's `input` event, which text inputs fire on every key press.
 */
export function useValidatedForm<V extends FieldValues>({ resolver, initial }: Options<V>): ValidatedForm<V> {
  const form = useForm<V, unknown, V>({
    resolver,
    mode: "onBlur",
    reValidateMode: "onBlur",
    criteriaMode: "all",
    defaultValues: initial,
  });
  const changed = useRef(new Set<Path<V>>());
  const register = (name: Path<V>, { autoFocus = false }: RegisterOptions = {}) => {
    const registered = form.register(name, {
      onChange: ({ target }: ChangeEvent<Element>) => {
        changed.current.add(name);
        if (changesOnInput(target)) void form.trigger(name);
      },
    });
    if (!autoFocus) return registered;
    const onBlur: UseFormRegisterReturn["onBlur"] = async (event) => {
      if (changed.current.has(name)) await registered.onBlur(event);
    };
    return { ...registered, onBlur };
  };
  return { ...form, register };
}

function changesOnInput(target: Element): boolean {
  return target instanceof HTMLInputElement && (target.type === "checkbox" || target.type === "radio");
}

type FailedRules = { message?: string; types?: Record<string, unknown> } | undefined;

/** Returns the messages of all failing rules of a field, without duplicates. */
export function listErrorMessages(error: FailedRules): string[] {
  const all = Object.values(error?.types ?? {})
    .flat()
    .filter((message): message is string => typeof message === "string");
  return [...new Set(all.length > 0 || !error?.message ? all : [error.message])];
}
