/** Functions whose first parameter is their dependencies. */
type Functions<D> = Readonly<Record<string, (deps: D, ...input: never[]) => unknown>>;

/** The same functions without their first parameter. */
export type Bound<F> = {
  [K in keyof F]: F[K] extends (deps: never, ...input: infer Input) => infer Result
    ? (...input: Input) => Result
    : never;
};

/** Returns the functions with their first parameter bound to the dependencies. */
export function bind<D, F extends Functions<D>>(deps: D, functions: F): Bound<F> {
  const bound = Object.entries(functions).map(([name, run]) => [name, run.bind(undefined, deps)]);
  return Object.fromEntries(bound) as Bound<F>;
}
