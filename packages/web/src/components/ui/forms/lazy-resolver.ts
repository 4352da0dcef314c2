import type { FieldValues, Resolver } from "react-hook-form";
import type { ZodType } from "zod";

/** A zod schema for form values, or a function that loads it. */
export type Schema<V> = ZodType<V, V> | (() => Promise<ZodType<V, V>>);

/**
 * Creates a react-hook-form resolver for a zod schema that loads zod and the schema on first use. If they cannot be loaded,
 * all values pass: the server validates by the same rules.
 */
export function createLazyResolver<V extends FieldValues>(schema: Schema<V>) {
  let loading: Promise<Resolver<V, unknown, V>> | undefined;
  const load = () => {
    loading ??= loadResolver(schema);
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  const resolver: Resolver<V, unknown, V> = async (values, context, options) => {
    const validate = await load().catch(() => null);
    return validate === null ? { values, errors: {} } : validate(values, context, options);
  };
  return { resolver, preload: () => void load() };
}

async function loadResolver<V extends FieldValues>(schema: Schema<V>): Promise<Resolver<V, unknown, V>> {
  const [{ zodResolver }, rules] = await Promise.all([
    import("@hookform/resolvers/zod"),
    typeof schema === "function" ? schema() : schema,
  ]);
  return zodResolver(rules);
}
