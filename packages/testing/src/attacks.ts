import { gzipSync } from "node:zlib";

/** A request that would keep a server busy which looks at all of it, and the status with which it is refused. */
export type Attack = {
  title: string;
  path: string;
  body: string | Buffer<ArrayBuffer>;
  headers: Record<string, string>;
  status: number;
};

const FORM_PATHS = ["/api/oauth/token", "/api/oauth/revoke", "/api/oauth/device", "/api/test-payments/none"];
const JSON_PATHS = ["/api/auth/login", "/api/auth/state", "/api/auth/register"];
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const JSON_TYPE = { "content-type": "application/json" };
const GZIP = { "content-encoding": "gzip" };

/** Requests of callers without a credential: forms and objects with very many fields, compressed and not. */
export function listAnonymousAttacks(): Attack[] {
  const zippedForm = zip(buildForm(40_000));
  const zippedJson = zip(buildJson(1_200_000));
  return [
    ...FORM_PATHS.flatMap((path): Attack[] => [
      { title: `${path} with a form of 7,000 fields`, path, body: buildForm(7_000), headers: FORM, status: 400 },
      { title: `${path} with a form of 40,000 fields`, path, body: buildForm(40_000), headers: FORM, status: 413 },
      {
        title: `${path} with a compressed form of 40,000 fields`,
        path,
        body: zippedForm,
        headers: { ...FORM, ...GZIP },
        status: 415,
      },
    ]),
    ...JSON_PATHS.flatMap((path): Attack[] => [
      {
        title: `${path} with 5,000 unknown properties`,
        path,
        body: buildJson(5_000),
        headers: JSON_TYPE,
        status: 400,
      },
      {
        title: `${path} with a compressed body of 1.2 million unknown properties`,
        path,
        body: zippedJson,
        headers: { ...JSON_TYPE, ...GZIP },
        status: 415,
      },
    ]),
  ];
}

/** Calls to a model of callers with a credential, which would be kept while they wait, or cost a backend very much. */
export function listCallAttacks(model: string): Attack[] {
  const path = "/v1/chat/completions";
  const call = (more: object) => JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }], ...more });
  const metadata = (characters: number) => ({ metadata: { text: "x".repeat(characters) } });
  const properties = Object.fromEntries(Array.from({ length: 120_000 }, (_, at) => [`p${at}`, {}]));
  const schema = { type: "json_schema", json_schema: { name: "a", schema: { type: "object", properties } } };
  return [
    { title: "a call with 14 MB of metadata", path, body: call(metadata(14_000_000)), headers: JSON_TYPE, status: 413 },
    {
      title: "a call with 14 MB of compressed metadata",
      path,
      body: zip(call(metadata(14_000_000))),
      headers: { ...JSON_TYPE, ...GZIP },
      status: 415,
    },
    {
      title: "a call with a schema of 120,000 properties",
      path,
      body: call({ response_format: schema }),
      headers: JSON_TYPE,
      status: 400,
    },
  ];
}

function buildForm(fields: number): string {
  return Array.from({ length: fields }, (_, index) => `f${index}=`).join("&");
}

function buildJson(fields: number): string {
  return `{${Array.from({ length: fields }, (_, index) => `"f${index}":0`).join(",")}}`;
}

const zip = (text: string): Buffer<ArrayBuffer> => Buffer.from(gzipSync(text));
