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

// Warnings of calls that run: the model reads them with the result. The oldest go when many calls had none.
const warned = new Map();
function keep(callID, warning) {
  warned.set(callID, warning);
  if (warned.size > 100) warned.delete(warned.keys().next().value);
}

export const Assize = async ({ directory, client }) => {
  // To whoever sits at the terminal: without one there is nobody to show it to.
  const show = (message) => void client?.tui?.showToast?.({ body: { title: 'Assize', message, variant: 'warning' } })?.catch?.(() => {});
  return {
  'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
    const { stop, warning } = await evaluate({
      hook_event_name: 'PreToolUse', session_id: sessionID, cwd: directory,
      tool_name: tool, tool_input: args, tool_use_id: callID,
    });
    if (stop) throw new Error(stop);
    if (warning) { keep(callID, warning); show(warning); }
  },
  'tool.execute.after': async ({ tool, sessionID, callID }, output) => {
    const { stop, warning } = await evaluate({
      hook_event_name: 'PostToolUse', session_id: sessionID, cwd: directory,
      tool_name: tool, tool_use_id: callID, tool_response: output.output ?? output,
    });
    if (stop) Object.assign(output, { title: 'withheld', output: stop, content: [{ type: 'text', text: stop }], metadata: {} });
    else if (warning) show(warning);
    const warnings = [warned.get(callID), stop ? null : warning].filter(Boolean);
    warned.delete(callID);
    if (warnings.length > 0 && typeof output.output === 'string') output.output = [output.output, ...warnings].join('\\n');
  },
  'chat.message': async ({ sessionID }, { parts }) => {
    const prompt = parts.map((part) => part.text ?? '').join('\\n');
    const { stop, warning } = await evaluate({ hook_event_name: 'UserPromptSubmit', session_id: sessionID, cwd: directory, prompt });
    if (stop) throw new Error(stop);
    const said = warning && parts.find((part) => part.type === 'text');
    if (warning) show(warning);
    if (said) said.text += '\\n\\n' + warning;
  },
  };
};
`;
