import type { FieldValues, Resolver } from "react-hook-form";
import type { ZodType } from "zod";

/** A zod schema for form values, or a function that loads it. */
export type Schema<V> = ZodType<V, V> | (() => Promise<ZodType<V, V>>);

/**
 * Creates a react-hook-form resolver for a zod schema that loads zod and the schema on first use. If they cannot be loaded,
 * all values pass: the server validates by the same rules.
 */
export function lazyResolver<V extends FieldValues>(schema: Schema<V>) {
  let loading: Promise<Resolver<V, unknown, V>> | undefined;
  const load = () => {
    loading ??= loaded(schema);
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  const resolver: Resolver<V, unknown, V> = async (values, context, options) => {
    const judge = await load().catch(() => null);
    return judge === null ? { values, errors: {} } : judge(values, context, options);
  };
  return { resolver, prepare: () => void load() };
}

async function loaded<V extends FieldValues>(schema: Schema<V>): Promise<Resolver<V, unknown, V>> {
  const [{ zodResolver }, rules] = await Promise.all([
    import("@hookform/resolvers/zod"),
    typeof schema === "function" ? schema() : schema,
  ]);
  return zodResolver(rules);
}
