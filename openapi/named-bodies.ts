/** Finds bodies whose schema has no name, for which the SDK and the API reference would have none either. */

type Schema = { $ref?: string; type?: string; oneOf?: readonly Schema[] };
type Body = { content?: Readonly<Record<string, { schema?: Schema }>> };
type Operation = { operationId?: string; requestBody?: Body; responses?: Readonly<Record<string, Body>> };
/** The parts of the bundled contract that have bodies. */
export type DocumentWithBodies = {
  paths: Readonly<Record<string, object>>;
  components: { responses?: Readonly<Record<string, Body>> };
};

/**
 * Returns the bodies whose schema is not in `components/schemas`, such as `apiKeys.create: request` and `apiKeys.get: 200`.
 * Texts, such as HTML and streams of events, need no name, nor does a choice between schemas that have one.
 */
export function listUnnamedBodies({ paths, components }: DocumentWithBodies): string[] {
  const operations = Object.values(paths)
    .flatMap((item) => Object.values(item) as Operation[])
    .filter(({ operationId }) => operationId !== undefined);
  const bodies = operations.flatMap(({ operationId, requestBody, responses }) => [
    ...(requestBody ? [{ name: `${operationId}: request`, body: requestBody }] : []),
    ...Object.entries(responses ?? {}).map(([status, body]) => ({ name: `${operationId}: ${status}`, body })),
  ]);
  const shared = Object.entries(components.responses ?? {}).map(([name, body]) => ({ name, body }));
  return [...bodies, ...shared].filter(({ body }) => !isNamed(body)).map(({ name }) => name);
}

function isNamed({ content = {} }: Body): boolean {
  return Object.values(content).every(({ schema }) => {
    const isReferenced = schema?.$ref !== undefined || schema?.oneOf?.every(({ $ref }) => $ref !== undefined) === true;
    return isReferenced || schema?.type === "string";
  });
}
