/** Whether the blog had posts when the server sent this page, as the root element says. Without any, nothing leads to it. */
export const hasPosts = (): boolean => document.documentElement.dataset.posts !== undefined;
