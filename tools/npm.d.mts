export function npmProgram(root: string): [node: string, script: string] | undefined;
export function npmEnvironment(): NodeJS.ProcessEnv;
export function moveRunningNode(root: string, running?: string, mustMove?: boolean): () => void;
