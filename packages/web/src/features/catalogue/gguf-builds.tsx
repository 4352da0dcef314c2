import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { ModelId } from "#/components/ui/primitives.tsx";
import { paths } from "#/config/paths.ts";
import { type Model, modelsQuery } from "#/entities/models/queries.ts";

const MAX_BUILDS = 5;
const GGUF = "gguf";

/** Links to the GGUF builds of a model, which are separate models, or to where they can be found. */
export function GgufBuilds({ model: { id, name } }: { model: Model }) {
  const isBuild = name.toLowerCase().includes(GGUF);
  const { data } = useQuery({ ...modelsQuery({ search: `${name} ${GGUF}`, perPage: 20 }), enabled: !isBuild });
  if (!data) return null;
  const builds = data.items.filter((other) => isBuildOf(name, other)).slice(0, MAX_BUILDS);
  return (
    <div className="mid mt-4">
      {builds.length > 0 ? (
        <>
          <p>{t`Its GGUF builds here, which are models of their own:`}</p>
          <ul className="mt-2">
            {builds.map((build) => (
              <li key={build.id}>
                <Link className="link" to={paths.model(build.id)}>
                  <ModelId id={build.id} />
                </Link>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>
          <Trans>
            This machine runs GGUF builds, which are models of their own and get pages of their own.{" "}
            <a
              className="link"
              href={`https://huggingface.co/models?other=base_model:quantized:${encodeURIComponent(id)}`}
              rel="noopener noreferrer"
            >
              Find one on Hugging Face
            </a>
            ; an admin fetches it with <span className="mono">feather models pull</span>.
          </Trans>
        </p>
      )}
    </div>
  );
}

/** The suffix of a GGUF build's name: quantization markers between the model's name and `gguf`. */
const GGUF_SUFFIX = /^[-_.](?:(?:i1|q\d\w*|imat\w*|ud)[-_.])*gguf$/;

/**
 * Returns whether a model is a build of another: `Qwen3-8B-GGUF` is one of `Qwen3-8B`, `Qwen3-8B-Instruct-GGUF` is not.
 */
function isBuildOf(name: string, { name: other }: Model): boolean {
  const [baseName, buildName] = [name.toLowerCase(), other.toLowerCase()];
  return buildName.startsWith(baseName) && GGUF_SUFFIX.test(buildName.slice(baseName.length));
}
