# cmake -D ASSEMBLY=FILE -D TEMPLATE=FILE -D OUTPUT=FILE -P embed.cmake: a text within a source file.
file(READ ${ASSEMBLY} assembly)
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
