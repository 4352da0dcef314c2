/** Finds what a newer contract takes away from callers of an older one. */

type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly unknown[];
  allOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
};
type Media = { schema?: Schema };
type Parameter = { $ref?: string; name?: string; in?: string; required?: boolean; schema?: Schema };
type Body = { $ref?: string; required?: boolean; content?: Readonly<Record<string, Media>> };
type Operation = {
  operationId?: string;
  parameters?: readonly Parameter[];
  requestBody?: Body;
  responses?: Readonly<Record<string, Body>>;
};
/** The parts of a bundled contract that callers depend on. */
export type ComparedContract = { paths: Readonly<Record<string, object>>; components?: object };

type Direction = "request" | "response";
/** Where a schema stands in both contracts, and what was compared on the way there, so that recursion ends. */
type Place = { name: string; direction: Direction; seen: ReadonlySet<string> };

const METHODS = ["get", "put", "post", "delete", "patch"];

/**
 * Returns a sentence for every change that can break a caller: operations, parameters, fields and values taken away, what
 * became required in requests, and what became optional, changed its type or got another alternative in responses: clients
 * read what is declared, and have no code for a form that was added. Other additions are no such changes.
 */
export function findBreakingChanges(before: ComparedContract, after: ComparedContract): string[] {
  const newer = listOperations(after);
  return [...listOperations(before)].flatMap(([name, old]) => {
    const current = newer.get(name);
    return current ? compareOperations(name, { before, after }, old, current) : [`${name} was taken away.`];
  });
}

type Contracts = { before: ComparedContract; after: ComparedContract };

function listOperations({ paths }: ComparedContract): Map<string, Operation> {
  const operations = new Map<string, Operation>();
  for (const [path, item] of Object.entries(paths)) {
    const { parameters: shared = [], ...methods } = item as Record<string, Operation> & { parameters?: Parameter[] };
    for (const method of METHODS) {
      const operation = methods[method];
      if (operation)
        operations.set(`${method.toUpperCase()} ${path}`, {
          ...operation,
          parameters: [...shared, ...(operation.parameters ?? [])],
        });
    }
  }
  return operations;
}

function compareOperations(name: string, contracts: Contracts, old: Operation, current: Operation): string[] {
  const renamed = old.operationId !== current.operationId ? [`${name} is called ${current.operationId} now.`] : [];
  return [
    ...renamed,
    ...compareParameters(name, contracts, old, current),
    ...compareBodies(name, contracts, old.requestBody, current.requestBody),
    ...compareResponses(name, contracts, old, current),
  ];
}

function compareParameters(name: string, contracts: Contracts, old: Operation, current: Operation): string[] {
  const listOf = (contract: ComparedContract, { parameters = [] }: Operation) =>
    new Map(parameters.map((one) => resolve(contract, one)).map((one) => [`${one.in} ${one.name}`, one]));
  const [oldParameters, newParameters] = [listOf(contracts.before, old), listOf(contracts.after, current)];
  const removed = [...oldParameters.keys()].filter((key) => !newParameters.has(key));
  const demanded = [...newParameters].filter(([key, { required }]) => required && !oldParameters.get(key)?.required);
  return [
    ...removed.map((key) => `${name}: the parameter ${key} was taken away.`),
    ...demanded.map(([key]) => `${name}: the parameter ${key} is required now.`),
    ...[...oldParameters].flatMap(([key, { schema }]) =>
      compareSchemas(createPlace(`${name}: ${key}`, "request"), contracts, schema, newParameters.get(key)?.schema),
    ),
  ];
}

function compareBodies(name: string, contracts: Contracts, old: Body | undefined, current: Body | undefined): string[] {
  if (current?.required && !old?.required) return [`${name}: a body is required now.`];
  return compareContents(`${name}: body`, "request", contracts, old, current);
}

function compareResponses(name: string, contracts: Contracts, old: Operation, current: Operation): string[] {
  return Object.entries(old.responses ?? {})
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([status, response]) => {
      const newer = current.responses?.[status];
      if (!newer) return [`${name}: the response ${status} was taken away.`];
      return compareContents(`${name}: ${status}`, "response", contracts, response, newer);
    });
}

function compareContents(
  name: string,
  direction: Direction,
  contracts: Contracts,
  old: Body | undefined,
  current: Body | undefined,
): string[] {
  const [oldBody, newBody] = [resolve(contracts.before, old ?? {}), resolve(contracts.after, current ?? {})];
  return Object.entries(oldBody.content ?? {}).flatMap(([type, { schema }]) => {
    const newer = newBody.content?.[type];
    if (!newer) return [`${name}: ${type} was taken away.`];
    return compareSchemas(createPlace(name, direction), contracts, schema, newer.schema);
  });
}

function createPlace(name: string, direction: Direction): Place {
  return { name, direction, seen: new Set() };
}

function compareSchemas(
  place: Place,
  contracts: Contracts,
  old: Schema | undefined,
  current: Schema | undefined,
): string[] {
  if (!old || !current) return [];
  const pair = `${old.$ref ?? ""} ${current.$ref ?? ""}`;
  if (pair !== " " && place.seen.has(pair)) return [];
  const inner = { ...place, seen: new Set([...place.seen, pair]) };
  const [oldSchema, newSchema] = [resolve(contracts.before, old), resolve(contracts.after, current)];
  const [oldForms, newForms] = [listAlternatives(oldSchema), listAlternatives(newSchema)];
  // What stands beside alternatives holds for all of them, so it says nothing about a schema that has none.
  if ((oldForms === null) !== (newForms === null))
    return compareAlternatives(inner, contracts, oldForms ?? [old], newForms ?? [current]);
  return [
    ...compareTypes(inner, oldSchema, newSchema),
    ...compareValues(inner, oldSchema, newSchema),
    ...compareProperties(inner, contracts, oldSchema, newSchema),
    ...compareSchemas({ ...inner, name: `${place.name}[]` }, contracts, oldSchema.items, newSchema.items),
    ...(oldSchema.allOf ?? []).flatMap((part, at) => compareSchemas(inner, contracts, part, newSchema.allOf?.[at])),
    ...compareAlternatives(inner, contracts, oldForms ?? [], newForms ?? []),
  ];
}

/** A request may take more types than before, a response may have fewer. */
function compareTypes({ name, direction }: Place, old: Schema, current: Schema): string[] {
  if (old.type === undefined || current.type === undefined) return [];
  const [oldTypes, newTypes] = [[old.type].flat(), [current.type].flat()];
  const [promised, kept] = direction === "request" ? [oldTypes, newTypes] : [newTypes, oldTypes];
  const accepts = (type: string) => kept.includes(type) || (type === "integer" && kept.includes("number"));
  return promised.every(accepts) ? [] : [`${name} was ${oldTypes.join(" or ")} and is ${newTypes.join(" or ")} now.`];
}

/** A request must take all values of before. A response may have new ones: clients have to expect that. */
function compareValues({ name, direction }: Place, old: Schema, current: Schema): string[] {
  if (direction === "response" || !current.enum) return [];
  const { enum: values } = current;
  const removed = (old.enum ?? []).filter((value) => !values.includes(value));
  if (!old.enum) return [`${name} takes only some values now.`];
  return removed.map((value) => `${name} no longer takes ${JSON.stringify(value)}.`);
}

function compareProperties(place: Place, contracts: Contracts, old: Schema, current: Schema): string[] {
  const { name, direction } = place;
  const [oldFields, newFields] = [old.properties ?? {}, current.properties ?? {}];
  const isRequired = (schema: Schema, field: string) => schema.required?.includes(field) ?? false;
  const removed = Object.keys(oldFields).filter((field) => !(field in newFields));
  const fields = Object.keys(direction === "request" ? newFields : oldFields);
  const changed = fields.filter((field) =>
    direction === "request"
      ? isRequired(current, field) && !isRequired(old, field)
      : isRequired(old, field) && field in newFields && !isRequired(current, field),
  );
  const word = direction === "request" ? "is required now" : "may be missing now";
  return [
    ...removed.map((field) => `${name}.${field} was taken away.`),
    ...changed.map((field) => `${name}.${field} ${word}.`),
    ...Object.entries(oldFields).flatMap(([field, schema]) =>
      compareSchemas({ ...place, name: `${name}.${field}` }, contracts, schema, newFields[field]),
    ),
  ];
}

function listAlternatives({ oneOf, anyOf }: Schema): readonly Schema[] | null {
  return oneOf ?? anyOf ?? null;
}

/** A request must take all alternatives of before. A response must not have more: clients can read only those of before. */
function compareAlternatives(
  place: Place,
  contracts: Contracts,
  old: readonly Schema[],
  current: readonly Schema[],
): string[] {
  const { name, direction } = place;
  const pairs = old.map((schema, index) => [schema, findAlternative(old, current, index)] as const);
  const kept = new Set(pairs.map(([, newer]) => newer));
  const removed = pairs.filter(([, newer]) => newer === undefined).map(([schema]) => schema);
  const added = current.filter((schema) => !kept.has(schema));
  return [
    ...pairs.flatMap(([schema, newer]) => compareSchemas(place, contracts, schema, newer)),
    ...(direction === "request"
      ? removed.map((schema) => `${name} no longer takes ${nameOf(schema)}.`)
      : added.map((schema) => `${name} may be ${nameOf(schema)} now.`)),
  ];
}

/** Returns what an alternative has become: the one with its name, otherwise the one in its place if that is not another's. */
function findAlternative(old: readonly Schema[], current: readonly Schema[], index: number): Schema | undefined {
  const { $ref } = old[index] ?? {};
  const sameName = current.find((schema) => $ref !== undefined && schema.$ref === $ref);
  if (sameName) return sameName;
  const inPlace = current[index];
  const isAnother = inPlace?.$ref !== undefined && old.some((schema) => schema.$ref === inPlace.$ref);
  return isAnother ? undefined : inPlace;
}

/** Returns what a message calls an alternative. */
function nameOf({ $ref, type }: Schema): string {
  return $ref?.split("/").at(-1) ?? (type === undefined ? "another form" : [type].flat().join(" or "));
}

function resolve<T extends { $ref?: string }>(contract: ComparedContract, value: T): T {
  if (value.$ref === undefined) return value;
  const path = value.$ref.replace("#/", "").split("/");
  return resolve(contract, path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], contract) as T);
}
