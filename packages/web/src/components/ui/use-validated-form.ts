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

export type ValidatedForm<V extends FieldValues> = Omit<UseFormReturn<V, unknown, V>, "register"> & {
  register(name: Path<V>): UseFormRegisterReturn;
};
type Options<V extends FieldValues> = { resolver: Resolver<V, unknown, V>; initial: DefaultValues<V> };

/**
 * A form that runs all rules of a field when it is left and when its value is changed for good, never while it is being
 * typed. React's `onChange` is the browser's `input`: of a text it comes with every key, of a choice with the change.
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
        if (changesAtOnce(target)) void form.trigger(name);
      },
    });
  return { ...form, register };
}

function changesAtOnce(target: Element): boolean {
  if (target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && (target.type === "checkbox" || target.type === "radio");
}

type FailedRules = { message?: string; types?: Record<string, unknown> } | undefined;

/** What every failing rule of a field says, each once. */
export function errorMessages(error: FailedRules): string[] {
  const all = Object.values(error?.types ?? {})
    .flat()
    .filter((message): message is string => typeof message === "string");
  return [...new Set(all.length > 0 || !error?.message ? all : [error.message])];
}
