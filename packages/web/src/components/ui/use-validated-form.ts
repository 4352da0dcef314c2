import type { ChangeEvent } from "react";
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
  register(name: Path<V>): UseFormRegisterReturn;
};
type Options<V extends FieldValues> = { resolver: Resolver<V, unknown, V>; initial: DefaultValues<V> };

/**
 * `useForm` that validates a field on blur, and checkboxes and radio buttons also on change; never while typing.
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
  const register = (name: Path<V>) =>
    form.register(name, {
      onChange: ({ target }: ChangeEvent<Element>) => {
        if (changesOnInput(target)) void form.trigger(name);
      },
    });
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
