/** Why a tool could not do its work, in a sentence for the model that called it. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}
