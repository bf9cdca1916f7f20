# docker build -t tsugi . && docker run --rm tsugi join https://example.com/article
#
# The image holds the command, the C library and root certificates: no shell, no package manager, no root.
FROM rust:1.95-bookworm AS build
WORKDIR /tsugi
COPY . .
ARG TSUGI_COMMIT
RUN rustup component add llvm-tools && scripts/profiled

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /tsugi/target/*/dist/tsugi /usr/local/bin/tsugi
WORKDIR /data
ENTRYPOINT ["tsugi"]
CMD ["--help"]
