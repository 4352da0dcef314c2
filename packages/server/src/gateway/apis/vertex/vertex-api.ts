import { toRecord } from "../../formats/fields.ts";
import type { UpstreamApi } from "../api.ts";
import { GEMINI_API } from "../gemini/gemini-api.ts";
import { findServiceAccountProblem } from "./service-account.ts";

const PUBLISHER = "/publishers/google";
const PATH = `${PUBLISHER}/models/{model}:generateContent`;
/** The project and the region at the end of an address, which the list of models has no place for. */
const LOCATION = /\/v1(?:beta1)?\/projects\/.*$/;
/** The models in the list that generate texts. It says of none what it is for. */
const TEXT_MODEL = /\/models\/(gemini-(?!.*(?:embedding|tts|image|live|audio)).*)$/;

/**
 * Google's Gemini models at Vertex AI (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference): the
 * Gemini API at addresses that name a project and a region, with the key of a service account. The address of a backend that
 * speaks it is `https://{region}-aiplatform.googleapis.com/v1/projects/{project}/locations/{region}`.
 */
export const VERTEX_API: UpstreamApi = {
  ...GEMINI_API,
  paths: { chat: PATH, completion: PATH },
  headers: () => ({}),
  sign: (apiKey, _request, accessTokens) =>
    apiKey === undefined ? null : accessTokens.get(apiKey).then((token) => ({ authorization: `Bearer ${token}` })),
  findKeyProblem: findServiceAccountProblem,
  toRequest(call) {
    const { path, body } = GEMINI_API.toRequest(call);
    return { path: PUBLISHER + path, body };
  },
  toListUrls: (baseUrl) => [`${baseUrl.replace(LOCATION, "")}/v1beta1${PUBLISHER}/models?pageSize=1000`],
  readModels([list]) {
    const { publisherModels } = toRecord(list);
    if (!Array.isArray(publisherModels)) return undefined;
    return publisherModels.flatMap((model) => {
      const id = TEXT_MODEL.exec(String(toRecord(model).name))?.[1];
      return id === undefined ? [] : [{ id }];
    });
  },
};
