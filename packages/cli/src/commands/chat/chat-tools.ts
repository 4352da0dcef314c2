import type { Feather, Tool as ListedTool } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import { runTools, type Tool, type ToolRun, toolResultText } from "@feather/sdk/tools";
import { type AnswerRequest, MODEL_TIMEOUT_MS, toRequestBody, toWaitHeaders } from "../../chat/answer.ts";
import type { Context } from "../../context.ts";
import { InterruptedError, ResourceNotFoundError, UsageError } from "../../errors.ts";
import { findNearest } from "../../suggest.ts";

/** Names of functions that APIs of models take. */
const FUNCTION_NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** The most characters of a result that the model gets. */
const MAX_RESULT_CHARACTERS = 50_000;
/** The most characters of arguments that a question shows. */
const MAX_SHOWN_CHARACTERS = 300;

/**
 * Answers a prompt with a model that may call tools of servers. Each call is shown and has to be allowed, unless `--yes` was given.
 * Throws `UsageError` where nobody can be asked, and `ResourceNotFoundError` for a tool that is not there.
 */
export async function answerWithTools(
  context: Context,
  client: Feather,
  request: AnswerRequest,
  names: readonly string[],
): Promise<ToolRun> {
  const { signal, output, interactive, flags } = context;
  if (!interactive && !flags.yes)
    throw new UsageError("there is nobody here to allow calls of tools", "--yes allows all calls of the named tools");
  const tools = await findTools(client, names, signal);
  const wait = output.waits.begin("Waiting for the answer");
  const inTurn = createTurns();
  try {
    return await runTools(
      client,
      toRequestBody(request),
      tools.map((tool) => toRunnableTool(context, client, tool, inTurn)),
      { signal, timeout: MODEL_TIMEOUT_MS, headers: toWaitHeaders(request) },
    );
  } finally {
    wait.end();
  }
}

async function findTools(client: Feather, names: readonly string[], signal: AbortSignal): Promise<ListedTool[]> {
  const { items } = await client.tools.list({ signal });
  return names.map((name) => {
    const tool = items.find((item) => item.name === name);
    if (tool === undefined) {
      const [close] = findNearest(
        name,
        items.map((item) => item.name),
      );
      const hint = close === undefined ? "feather tools list" : `did you mean ${close}? feather tools list`;
      throw new ResourceNotFoundError(`there is no tool called ${name}`, hint);
    }
    if (!FUNCTION_NAME.test(name)) throw new UsageError(`models take no tool with the name ${name}`);
    return tool;
  });
}

/** Returns a function that does pieces of work one after the other: a person can answer one question at a time. */
function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

/** Returns arguments as a question shows them. It says how many characters it leaves out, since these are allowed too. */
const toShown = (text: string): string => {
  const more = text.length - MAX_SHOWN_CHARACTERS;
  return more > 0 ? `${text.slice(0, MAX_SHOWN_CHARACTERS)} … and ${formatCount(more)} more characters` : text;
};

function toRunnableTool(
  { confirm, output, signal }: Context,
  client: Feather,
  { name, description, input_schema: parameters }: ListedTool,
  inTurn: ReturnType<typeof createTurns>,
): Tool {
  const isAllowed = async (shown: string): Promise<boolean> => {
    try {
      await confirm(`Call ${name} with ${shown}?`);
      return true;
    } catch (error) {
      if (!(error instanceof InterruptedError) || signal.aborted) throw error;
      return false;
    }
  };
  return {
    name,
    description: description ?? "",
    parameters,
    run: (input) =>
      inTurn(async () => {
        const shown = toShown(JSON.stringify(input));
        if (!(await isAllowed(shown))) return "Error: the person did not allow this call.";
        output.info(`${name} ${shown}`);
        const given = typeof input === "object" && input !== null && !Array.isArray(input) ? { ...input } : {};
        const result = await client.tools.call(name, { arguments: given }, { signal });
        const text = toolResultText(result).slice(0, MAX_RESULT_CHARACTERS);
        return result.is_error ? `Error: ${text}` : text;
      }),
  };
}
