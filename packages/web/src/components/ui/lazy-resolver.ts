import type { FieldValues, Resolver } from "react-hook-form";
import type { ZodType } from "zod";

export type Schema<V> = ZodType<V, V> | (() => Promise<ZodType<V, V>>);

/**
 * Judges values by a schema, and loads what that takes when it is first needed. Where it can't be loaded nothing is
 * refused here: the server judges by the same rules.
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
