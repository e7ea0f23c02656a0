#!/bin/sh
# GRPO with verl on the airline. Needs a GPU with vLLM or SGLang; data, tools and the agent loop are what
# `make test-integrations` runs on a CPU, the optimiser is not.
#   pip install 'envfactory-gym[verl,export]' vllm
set -e
MODEL=${1:-Qwen/Qwen3-0.6B}
envfactory export --rl airline --split train --split dev --to verl --no-plots --out data
cat > agent.yaml <<'YAML'
- name: envfactory
  _target_: envfactory_gym.integrations.verl.EnvironmentLoop
YAML
python -m verl.trainer.main_ppo \
  algorithm.adv_estimator=grpo \
  data.train_files=data/rl/train.parquet data.val_files=data/rl/dev.parquet data.return_raw_chat=True \
  data.max_prompt_length=8192 data.max_response_length=4096 data.train_batch_size=16 \
  actor_rollout_ref.model.path="$MODEL" \
  actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.n=8 actor_rollout_ref.rollout.mode=async \
  actor_rollout_ref.rollout.multi_turn.enable=True \
  actor_rollout_ref.rollout.multi_turn.tool_config_path=data/tools.yaml \
  actor_rollout_ref.rollout.multi_turn.max_assistant_turns=20 \
  actor_rollout_ref.rollout.multi_turn.max_parallel_calls=8 \
  actor_rollout_ref.rollout.multi_turn.max_tool_response_length=20000 \
  actor_rollout_ref.rollout.agent.agent_loop_config_path=agent.yaml \
  trainer.n_gpus_per_node=1 trainer.total_epochs=1
