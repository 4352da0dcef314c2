export { createStarter } from "./create-starter.ts";
