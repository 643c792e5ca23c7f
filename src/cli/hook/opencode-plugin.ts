/**
 * The plugin that opencode loads (https://opencode.ai/docs/plugins): it runs the hook for each tool call, result and message. A
 * tool whose hook throws does not run, and its model reads the error. The hook is a process of its own, so that the key and
 * the decision are outside the agent's process.
 */
export const opencodePlugin = (
  command: string,
  { closed, timeoutMs }: { closed: boolean; timeoutMs: number },
): string => `// Written by: assize hook install opencode. Removed by: assize hook uninstall opencode.
import { spawn } from 'node:child_process';

const command = ${JSON.stringify(command)};

function evaluate(event) {
  return new Promise((resolve) => {
    let said = '';
    const child = spawn('sh', ['-c', command], { stdio: ['pipe', 'pipe', 'ignore'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), ${timeoutMs});
    child.stdout.on('data', (chunk) => { said += chunk; });
    child.stdin.on('error', () => {});
    child.on('error', () => resolve(failed()));
    child.on('close', (code) => {
      clearTimeout(timer);
      try {
        resolve(code === 0 ? JSON.parse(said || '{}') : failed());
      } catch {
        resolve(failed());
      }
    });
    child.stdin.end(JSON.stringify(event));
  });
}

const failed = () => (${closed} ? { stop: 'Assize: the hook could not run' } : {});

export const Assize = async ({ directory }) => ({
  'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
    const { stop } = await evaluate({
      hook_event_name: 'PreToolUse', session_id: sessionID, cwd: directory,
      tool_name: tool, tool_input: args, tool_use_id: callID,
    });
    if (stop) throw new Error(stop);
  },
  'tool.execute.after': async ({ tool, sessionID, callID }, output) => {
    const { stop, warning } = await evaluate({
      hook_event_name: 'PostToolUse', session_id: sessionID, cwd: directory,
      tool_name: tool, tool_use_id: callID, tool_response: output.output ?? output,
    });
    if (stop) Object.assign(output, { title: 'withheld', output: stop, content: [{ type: 'text', text: stop }], metadata: {} });
    else if (warning && typeof output.output === 'string') output.output += '\\n' + warning;
  },
  'chat.message': async ({ sessionID }, { parts }) => {
    const prompt = parts.map((part) => part.text ?? '').join('\\n');
    const { stop } = await evaluate({ hook_event_name: 'UserPromptSubmit', session_id: sessionID, cwd: directory, prompt });
    if (stop) throw new Error(stop);
  },
});
`;
