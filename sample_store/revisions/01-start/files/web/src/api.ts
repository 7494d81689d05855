export interface Tool {
  name: string;
  shelf: string;
  dueBack: string | null;
}

const TIMEOUT_MS = 5_000;

export async function fetchTools(): Promise<Tool[]> {
  const answer = await fetch("/api/tools", { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) {
    throw new Error(`the desk answered ${answer.status}`);
  }
  return (await answer.json()).tools;
}
